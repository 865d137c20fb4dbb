//! Sets the soname of a C library, by which the loader finds it: the name of its package without `-capi`.

use std::env;

fn main() {
    // Without a path, Cargo would watch all files of the package. It watches this program anyway.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let major = env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let name = package.trim_end_matches("-capi").replace('-', "_");
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,lib{name}.so.{major}");
        }
        Ok("macos") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/lib{name}.{major}.dylib");
        }
        _ => {}
    }
}
