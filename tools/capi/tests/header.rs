//! `include/cubebase.h` is up to date with the sources: `cbindgen` gives the same text.

use cbindgen::{Builder, Config};
use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_is_that_of_the_sources() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(crate_folder.join("cbindgen.toml")).unwrap();
    let builder = Builder::new().with_config(config);
    let builder = ["status", "api"].iter().fold(builder, |builder, module| {
        builder.with_src(crate_folder.join("src").join(module).with_extension("rs"))
    });
    let mut written = Vec::new();
    builder.generate().unwrap().write(&mut written);
    let header = crate_folder.join("include/cubebase.h");
    if env::var_os("WRITE_HEADER").is_some() {
        fs::write(&header, &written).unwrap();
    }
    let is_same = fs::read(&header).is_ok_and(|text| text == written);
    assert!(is_same, "include/cubebase.h is old: WRITE_HEADER=1 cargo test -p cubebase-capi header");
}
