# What `build` and `bench` share; they source it with `set -euo pipefail`, in this directory, with a scratch directory $work.

target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
tools=$target/web-tools

# Installs what is missing: the target, wasm-bindgen of the version in Cargo.lock, and what package.json names.
install_tools() {
    local version
    mkdir -p "$tools"
    rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' ../../Cargo.lock)
    [ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" = "wasm-bindgen $version" ] ||
        cargo install --quiet wasm-bindgen-cli --version "$version" --bin wasm-bindgen --root "$tools"
    cmp -s package-lock.json "$tools/node_modules/.installed" && return
    cp package.json package-lock.json "$tools"
    npm ci --prefix "$tools" --no-audit --no-fund --loglevel error
    cp package-lock.json "$tools/node_modules/.installed"
}

# Puts prober.js, for wasm-bindgen's target $1, and prober_bg.wasm into $work; $2 are features of the crate.
make_wasm() {
    # The manifest does not ask for a cdylib: beside an rlib it would be linked without LTO.
    cargo rustc --quiet --locked -p cubebase-web --lib --crate-type cdylib --features "${2-}" --profile web \
        --target wasm32-unknown-unknown
    "$tools/bin/wasm-bindgen" --target "$1" --no-typescript --remove-name-section --remove-producers-section \
        --out-name prober --out-dir "$work" "$target/wasm32-unknown-unknown/web/cubebase_web.wasm"
    "$tools/node_modules/.bin/wasm-opt" -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-mutable-globals --enable-reference-types --enable-multivalue \
        -o "$work/smaller.wasm" "$work/prober_bg.wasm"
    mv "$work/smaller.wasm" "$work/prober_bg.wasm"
}
