//! The corpora of the fuzz targets (fixtures/fuzz, and the PLAs of fixtures/pla), each file through its target once more.

#[path = "../tools/fuzz/src/lib.rs"]
mod targets;

use super::noise::Noise;
use std::iter;
use std::path::Path;

/// `.ci/slow fuzz` adds a file for every fault that it finds.
#[test]
fn every_file_of_the_corpora_is_replayed() {
    for (name, target) in targets::ALL {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let plas = (name == "pla").then(|| fixtures.join("pla"));
        let mut files = 0;
        for entry in iter::once(fixtures.join("fuzz").join(name))
            .chain(plas)
            .flat_map(|corpus| corpus.read_dir().unwrap())
        {
            let path = entry.unwrap().path();
            // Shown when the target panics.
            println!("{}", path.display());
            target(&std::fs::read(&path).unwrap());
            files += 1;
        }
        assert!(files >= 10, "{name}: {files} files");
    }
}

/// The target corrects the checksum.
#[test]
fn damaged_tables_in_pages_are_refused_or_answer() {
    let mut noise = Noise(7);
    for name in ["KNPvK-attack-pages.pcn", "KQvKP-attack-pages.pcn"] {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz/pcn");
        let good = std::fs::read(corpus.join(name)).unwrap();
        for _ in 0..100 {
            let (mut bytes, at, bit) = (good.clone(), noise.below(good.len()), noise.below(16));
            println!("{name}: byte {at}, {bit}");
            if bit < 8 {
                bytes[at] ^= 1 << bit;
            } else {
                bytes.truncate(at);
            }
            targets::pcn(&bytes);
        }
    }
}
