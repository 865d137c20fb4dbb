//! The headers are up to date with the sources: `cbindgen` gives the same text.

use cbindgen::{Builder, Config};
use std::path::Path;
use std::{env, fs};

/// Whether `header` is the text that cbindgen makes from these modules of the crate in `folder`. With `WRITE_HEADER`, the text is
/// written to it first.
fn is_up_to_date(folder: &str, modules: &[&str], header: &str) -> bool {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let config = Config::from_file(crate_folder.join("cbindgen.toml")).unwrap();
    let builder = Builder::new().with_config(config);
    let builder = modules.iter().fold(builder, |builder, module| {
        builder.with_src(crate_folder.join("src").join(module).with_extension("rs"))
    });
    let mut written = Vec::new();
    builder.generate().unwrap().write(&mut written);
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join(header);
    if env::var_os("WRITE_HEADER").is_some() {
        fs::write(&header, &written).unwrap();
    }
    fs::read(&header).is_ok_and(|text| text == written)
}

#[test]
fn the_headers_are_those_of_the_sources() {
    let how = "WRITE_HEADER=1 cargo test -p cubebase-capi header";
    assert!(is_up_to_date("", &["status", "api"], "cubebase.h"), "include/cubebase.h is old: {how}");
    assert!(is_up_to_date("espresso", &["api"], "cubebase/espresso.h"), "cubebase/espresso.h is old: {how}");
}
