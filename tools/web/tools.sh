# Functions of `build` and `bench`, which source this file with `set -euo pipefail`, in this directory, with a scratch directory
# $work.

target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
tools=$target/web-tools

# Installs the target, wasm-bindgen in the version of Cargo.lock, and the packages of package.json, if missing. wasm-bindgen is
# built without optimization: that is much quicker, and the program is fast enough.
install_tools() {
    local version
    mkdir -p "$tools"
    rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' ../../Cargo.lock)
    [ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" = "wasm-bindgen $version" ] ||
        cargo install --debug wasm-bindgen-cli --version "$version" --bin wasm-bindgen --root "$tools"
    cmp -s package-lock.json "$tools/node_modules/.installed" && return
    cp package.json package-lock.json "$tools"
    npm ci --prefix "$tools" --no-audit --no-fund --loglevel error
    cp package-lock.json "$tools/node_modules/.installed"
}

# Puts $2.js, for wasm-bindgen's target $1, and $2_bg.wasm of the crate $3 into $work; $4 are features of the crate.
make_wasm() {
    local crate=$3
    # The manifest does not ask for a cdylib: beside an rlib it would be linked without LTO.
    cargo rustc --quiet --locked -p "$crate" --lib --crate-type cdylib --features "${4-}" --profile web \
        --target wasm32-unknown-unknown -- -C link-arg=-zstack-size=8388608
    "$tools/bin/wasm-bindgen" --target "$1" --no-typescript --remove-name-section --remove-producers-section \
        --out-name "$2" --out-dir "$work" "$target/wasm32-unknown-unknown/web/${crate//-/_}.wasm"
    "$tools/node_modules/.bin/wasm-opt" -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-mutable-globals --enable-reference-types --enable-multivalue \
        -o "$work/smaller.wasm" "$work/$2_bg.wasm"
    mv "$work/smaller.wasm" "$work/$2_bg.wasm"
}

# Bundles script or style $1 with esbuild into $work/$2; the names $3... are modules in $work.
make_part() {
    local from=$1 to=$2 aliases=()
    shift 2
    for name; do aliases+=("--alias:$name=$work/$name.js"); done
    NODE_PATH=$tools/node_modules "$tools/node_modules/.bin/esbuild" "$from" --bundle --minify --format=iife --target=es2022 \
        "${aliases[@]}" --define:import.meta.url='""' --log-level=warning --outfile="$work/$to"
}
