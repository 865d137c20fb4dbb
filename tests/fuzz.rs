//! The corpora of the fuzz targets (fixtures/fuzz), each file through its target once more.

#[path = "../tools/fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

/// `.ci/slow fuzz` adds a file for every fault that it finds.
#[test]
fn every_file_of_the_corpora_is_replayed() {
    for (name, target) in targets::ALL {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz").join(name);
        let mut files = 0;
        for entry in std::fs::read_dir(corpus).unwrap() {
            let path = entry.unwrap().path();
            // Shown when the target panics.
            println!("{}", path.display());
            target(&std::fs::read(&path).unwrap());
            files += 1;
        }
        assert!(files >= 10, "{name}: {files} files");
    }
}
