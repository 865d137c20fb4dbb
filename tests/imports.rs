//! The map of ARCHITECTURE.md against the imports of the sources: a room imports what the map says, and stands above it; no
//! files import each other. A name that a module passes on counts as the module's. Unit tests are left out.

use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module's path in its crate.
type Module = Vec<String>;

/// The module paths that each module of a crate names.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The source without comments, texts and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths in `code` that begin with `crate`, `super` or `espresso`, braces multiplied out.
fn paths(code: &str) -> Vec<Module> {
    let group = Regex::new(r"((?:\w+::)+)\{([^{}]*)\}").unwrap();
    let mut code = code.to_owned();
    while group.is_match(&code) {
        let one_by_one = |found: &Captures| {
            let items = found[2].split(',').map(|item| format!("{}{}", &found[1], item.trim()));
            items.collect::<Vec<_>>().join(", ")
        };
        code = group.replace_all(&code, one_by_one).into();
    }
    let path = Regex::new(r"\b(?:crate|super|espresso)\b(?:::\w+)*").unwrap();
    path.find_iter(&code).map(|path| path.as_str().split("::").map(str::to_owned).collect()).collect()
}

/// Reads the modules in `folder`, whose module is `at`.
fn read(folder: &Path, at: &[String], found: &mut Vec<(Module, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = [at, std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            read(&path, &child, found);
        } else if !name.ends_with("tests") && !["laws", "testing", "allocated"].contains(&&*name) {
            let is_root = ["mod", "lib", "main"].contains(&&*name);
            found.push((if is_root { at.to_vec() } else { child }, code(&fs::read_to_string(path).unwrap())));
        }
    }
}

/// The imports of the crate in folder `root`.
fn imports(root: &str) -> Imports {
    let mut texts = Vec::new();
    read(Path::new(root), &[], &mut texts);
    let modules: BTreeSet<Module> = texts.iter().map(|(module, _)| module.clone()).collect();
    let mut imports = Imports::new();
    for (module, text) in &texts {
        let targets = paths(text).into_iter().filter_map(|path| {
            let supers = path.iter().take_while(|part| *part == "super").count();
            let start = match path[0].as_str() {
                "crate" => Module::new(),
                "espresso" => return (root == "src").then_some(path[..1].to_vec()),
                _ => module[..module.len().checked_sub(supers)?].to_vec(),
            };
            let whole = [&start, &path[supers.max(1)..]].concat();
            let target = (0..=whole.len()).rev().map(|end| &whole[..end]).find(|of| modules.contains(*of))?;
            (!module.starts_with(target)).then(|| target.to_vec())
        });
        imports.entry(module.clone()).or_default().extend(targets);
    }
    imports
}

/// The rooms of a crate in the order of ARCHITECTURE.md, each with those that it uses; `all` for the last.
fn rooms(architecture: &str, root: &str) -> Vec<(Module, String)> {
    let (_, section) = architecture.split_once(&format!(" ({root}/)\n")).unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let path = cells[1].trim_matches('`').trim_end_matches('/');
        (path.split('/').map(str::to_owned).collect(), cells[3].to_owned())
    };
    lines.take_while(|line| line.starts_with('|')).skip(2).map(row).collect()
}

#[test]
fn rooms_import_what_the_map_says() {
    let architecture = fs::read_to_string("ARCHITECTURE.md").unwrap();
    for root in ["src", "espresso/src"] {
        let rooms = rooms(&architecture, root);
        let room_of = |module: &Module| {
            let holding = (0..rooms.len()).filter(|&number| module.starts_with(&rooms[number].0));
            holding.max_by_key(|&number| rooms[number].0.len())
        };
        for (module, targets) in imports(root) {
            for target in targets {
                let name = module.join("/");
                let (Some(room), Some(to)) = (room_of(&module), room_of(&target)) else {
                    let is_below = room_of(&target).is_none();
                    assert!(
                        is_below || module.len() != 1,
                        "{root}/{name}: a file without a room imports {target:?}"
                    );
                    continue;
                };
                let (uses, to_name) = (&rooms[room].1, rooms[to].0.join("/"));
                let is_said = uses == "all" || uses.split(", ").any(|used| used == to_name);
                assert!(
                    room == to || is_said && to < room,
                    "{root}/{name} imports {to_name}: not in the map"
                );
            }
        }
    }
}

/// A module that is reached from itself, if there is one.
fn circle(imports: &Imports) -> Option<&Module> {
    imports.keys().find(|&start| {
        let (mut reached, mut left) = (BTreeSet::new(), vec![start]);
        while let Some(module) = left.pop() {
            let targets = imports.get(module).into_iter().flatten();
            left.extend(targets.filter(|target| reached.insert(*target)));
        }
        reached.contains(start)
    })
}

#[test]
fn no_files_import_each_other() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let (_, members) = manifest.split_once("members = [").unwrap();
    let crates =
        members.split(']').next().unwrap().split('"').filter(|name| name.contains(char::is_alphanumeric));
    for root in crates.map(|name| format!("{name}/src")).chain(["src".into()]) {
        assert_eq!(circle(&imports(&root)), None, "{root}");
    }
    let module = |name: &str| vec![name.to_owned()];
    let of = |name: &str, code: &str| {
        (module(name), paths(code).into_iter().map(|path| path[1..2].to_vec()).collect())
    };
    let imports = Imports::from([of("a", "use super::{b::B, d};"), of("b", "fn f() { crate::a::g(); }")]);
    assert_eq!(circle(&imports), Some(&module("a")));
}
