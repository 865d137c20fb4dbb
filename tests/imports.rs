//! No two files of the workspace import each other, directly or through others, and each room imports exactly the rooms
//! that ARCHITECTURE.md names.
//!
//! Reads the sources as text: which modules there are, what each takes from another by `use` or by a path in its code,
//! and, where that is only passed on (`pub use`), from where. Test modules do not count. Of files in a circle none can be
//! read, tested or moved alone. Imports from the `mod.rs` above a file are allowed: it may define types for the files of
//! its room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// One file: the names that it imports, each with the path that it stands for, and the paths that its code names.
#[derive(Default)]
struct Module {
    file: String,
    names: BTreeMap<String, Vec<String>>,
    paths: Vec<Vec<String>>,
}

/// The modules of a crate by their paths from its root, which is the empty path.
type Modules = BTreeMap<Vec<String>, Module>;

/// The code without comments, literals and test modules, and the names of the modules in files of their own, with the paths
/// that an attribute gives them.
fn strip(text: &str) -> (String, Vec<(String, Option<String>)>) {
    let mut code = String::new();
    let mut files = Vec::new();
    let mut given = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            let item = lines.find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
            if item.ends_with('{') {
                let indent = item.len() - item.trim_start().len();
                lines.find(|line| line.trim_end() == format!("{}}}", " ".repeat(indent)));
            }
            continue;
        }
        let line = line.split("//").next().unwrap_or_default();
        let bare: String = line.split('"').step_by(2).collect();
        let item = bare.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
        if let Some(name) =
            item.trim_start_matches("pub ").strip_prefix("mod ").and_then(|name| name.strip_suffix(';'))
        {
            files.push((name.to_owned(), given.take()));
            continue;
        }
        given = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")).map(str::to_owned);
        code.push_str(&bare);
        code.push('\n');
    }
    (code, files)
}

/// The paths of a use declaration, braces multiplied out, with the names that they are imported under.
fn flatten(tree: &str, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let tree = tree.trim();
    if let Some((head, rest)) = tree.split_once('{') {
        let mut path = before.to_vec();
        path.extend(head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned));
        let (mut depth, mut item) = (0, String::new());
        for letter in rest.trim_end().trim_end_matches('}').chars().chain([',']) {
            match letter {
                ',' if depth == 0 => flatten(&std::mem::take(&mut item), &path, found),
                _ => {
                    depth += i32::from(letter == '{') - i32::from(letter == '}');
                    item.push(letter);
                }
            }
        }
        return;
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
    let mut whole = before.to_vec();
    whole.extend(
        path.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty() && part != "self"),
    );
    if let (false, Some(last)) = (tree.is_empty(), whole.last().cloned()) {
        found.push((name.map_or(last, |name| name.trim().to_owned()), whole));
    }
}

/// Reads the module at `file` and its child modules, whose files are in `folder`.
fn read(file: &Path, folder: &Path, at: &[String], modules: &mut Modules) {
    let text = fs::read_to_string(file).unwrap();
    let (code, children) = strip(&text);
    let mut module = Module { file: file.to_string_lossy().into_owned(), ..Module::default() };
    let mut rest = String::new();
    for (number, statement) in code.split_inclusive(';').enumerate() {
        let start = statement
            .rfind("\nuse ")
            .map(|at| at + 5)
            .or_else(|| statement.rfind("pub use ").map(|at| at + 8));
        let start =
            start.or_else(|| statement.find("use ").filter(|&at| at == 0 && number == 0).map(|at| at + 4));
        let start = start.or_else(|| statement.find(") use ").map(|at| at + 6));
        match start {
            Some(start) => {
                let mut found = Vec::new();
                flatten(statement[start..].trim_end_matches(';'), &[], &mut found);
                module.names.extend(found);
            }
            None => rest.push_str(statement),
        }
    }
    for word in rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':') {
        let path: Vec<String> = word.split("::").map(str::to_owned).collect();
        if path.len() > 1 && !path[0].is_empty() {
            module.paths.push(path);
        }
    }
    for (child, given) in &children {
        let path: Vec<String> = at.iter().chain([child]).cloned().collect();
        if let Some(given) = given {
            let file = file.with_file_name(given);
            read(&file, &file.with_extension(""), &path, modules);
            continue;
        }
        let (flat, deep) = (folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs"));
        read(if flat.exists() { &flat } else { &deep }, &folder.join(child), &path, modules);
    }
    modules.insert(at.to_vec(), module);
}

/// The module that `path`, written in module `from`, takes something from.
fn resolve(modules: &Modules, from: &[String], path: &[String], steps: usize) -> Option<Vec<String>> {
    let mut at = from.to_vec();
    for (place, part) in path.iter().enumerate() {
        let child: Vec<String> = at.iter().chain([part]).cloned().collect();
        match part.as_str() {
            "crate" if place == 0 => at.clear(),
            "self" if place == 0 => {}
            "super" => drop(at.pop()),
            _ if modules.contains_key(&child) => at = child,
            _ => {
                // The name of something in the module, or one that it has from elsewhere.
                let passed_on = modules[&at].names.get(part).filter(|to| steps < 9 && to.as_slice() != path);
                let Some(to) = passed_on else { return (place > 0).then_some(at) };
                let whole: Vec<String> = to.iter().chain(&path[place + 1..]).cloned().collect();
                return resolve(modules, &at, &whole, steps + 1);
            }
        }
    }
    Some(at)
}

/// The modules that each module imports, without those above it.
fn imports(modules: &Modules) -> BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> {
    let of = |at: &Vec<String>, module: &Module| {
        let paths = module.names.values().chain(&module.paths);
        let targets = paths.filter_map(|path| resolve(modules, at, path, 0));
        targets.filter(|to| !at.starts_with(to)).collect()
    };
    modules.iter().map(|(at, module)| (at, of(at, module))).collect()
}

/// The groups of modules that import each other, directly or through others.
fn circles(modules: &Modules) -> Vec<Vec<&str>> {
    let mut reached = imports(modules);
    loop {
        let before: usize = reached.values().map(BTreeSet::len).sum();
        for at in modules.keys() {
            let further: Vec<Vec<String>> = reached[at].iter().flat_map(|to| &reached[to]).cloned().collect();
            reached.entry(at).or_default().extend(further);
        }
        if reached.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    let group = |at: &Vec<String>| -> Vec<&str> {
        let with = modules.iter().filter(|(to, _)| reached[at].contains(*to) && reached[to].contains(at));
        with.map(|(_, module)| module.file.as_str()).collect()
    };
    let groups: BTreeSet<Vec<&str>> = modules.keys().map(group).filter(|group| !group.is_empty()).collect();
    groups.into_iter().collect()
}

/// The modules of the crate in folder `root`, of its library and of its program.
fn crate_at(root: &str) -> Modules {
    let mut modules = Modules::new();
    let folder = Path::new(root);
    for file in ["main.rs", "lib.rs"].map(|file| folder.join(file)).iter().filter(|file| file.exists()) {
        read(file, folder, &[], &mut modules);
    }
    // The program calls the library by its name.
    if root == "espresso/src" {
        let paths =
            modules.values_mut().flat_map(|module| module.names.values_mut().chain(&mut module.paths));
        paths.filter(|path| path[0] == "espresso").for_each(|path| path[0] = "crate".into());
    }
    modules
}

/// The folders of sources of all crates of the workspace.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let (_, members) = manifest.split_once("members = [").unwrap();
    let members = members.split_once(']').unwrap().0.split(',').map(|member| member.trim().trim_matches('"'));
    let members = members.filter(|member| !member.is_empty());
    members.map(|member| if member == "." { "src".into() } else { format!("{member}/src") }).collect()
}

#[test]
fn no_files_import_each_other() {
    let mut files = 0;
    for root in crates() {
        let modules = crate_at(&root);
        files += modules.len();
        let circles = circles(&modules);
        assert!(circles.is_empty(), "files of {root} that import each other:\n{circles:#?}");
    }
    assert!(files > 300, "the files of the workspace are found");
}

/// The rooms of a crate in the order of ARCHITECTURE.md, each with those that it uses, `None` if it may use all.
fn rooms_of(architecture: &str, root: &str) -> Vec<(String, Option<BTreeSet<String>>)> {
    let (_, section) = architecture.split_once(&format!(" ({root}/)\n")).unwrap();
    let lines =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let mut rooms = Vec::new();
    for line in lines.skip(2) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, room, _, uses, _] = cells[..] else { panic!("{line}") };
        let uses = match uses {
            "all" => None,
            "-" => Some(BTreeSet::new()),
            _ => Some(uses.split(", ").map(str::to_owned).collect()),
        };
        rooms.push((room.trim_matches('`').trim_end_matches('/').to_owned(), uses));
    }
    rooms
}

/// The room of a module: a folder of the crate, or a folder in that if the map names those.
fn room_of<'a>(rooms: &'a [(String, Option<BTreeSet<String>>)], at: &[String]) -> Option<&'a str> {
    let holds = |room: &str| {
        room.split('/').count() <= at.len() && room.split('/').zip(at).all(|(part, at)| part == at)
    };
    rooms.iter().map(|(room, _)| room.as_str()).find(|room| holds(room))
}

/// The rooms that a room imports, each with a file that does so. The minimizer's crate counts as one.
fn rooms_imported<'a>(
    rooms: &[(String, Option<BTreeSet<String>>)],
    modules: &'a Modules,
    room: &str,
) -> BTreeMap<String, &'a str> {
    let mut found = BTreeMap::new();
    for (at, targets) in imports(modules) {
        if room_of(rooms, at) != Some(room) {
            continue;
        }
        let module = &modules[at];
        let others = targets.iter().filter_map(|to| room_of(rooms, to)).filter(|to| *to != room);
        found.extend(others.map(|to| (to.to_owned(), module.file.as_str())));
        let mut starts = module.names.values().chain(&module.paths).map(|path| &path[..]);
        if starts.any(|path| matches!(path, [first, ..] if first == "espresso")) {
            found.insert("espresso".into(), &module.file);
        }
    }
    found
}

#[test]
fn rooms_import_what_the_map_says() {
    let architecture = fs::read_to_string("ARCHITECTURE.md").unwrap();
    for root in ["src", "espresso/src"] {
        let (modules, rooms) = (crate_at(root), rooms_of(&architecture, root));
        let folders = fs::read_dir(root).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
        let folders: BTreeSet<String> =
            folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        let first = |room: &String| room.split('/').next().unwrap().to_owned();
        let named: BTreeSet<String> = rooms.iter().map(|(room, _)| first(room)).collect();
        assert_eq!(named, folders, "rooms of {root}");
        for (number, (room, uses)) in rooms.iter().enumerate() {
            let imported = rooms_imported(&rooms, &modules, room);
            for (other, file) in &imported {
                assert!(
                    uses.as_ref().is_none_or(|uses| uses.contains(other)),
                    "{file}: imports {other}, which the map does not say of {room}"
                );
                let is_below = rooms[..number].iter().any(|(below, _)| below == other);
                assert!(
                    is_below || other == "espresso",
                    "{file}: imports {other}, which stands above {room}"
                );
            }
            let not: Vec<_> = uses.iter().flatten().filter(|other| !imported.contains_key(*other)).collect();
            assert!(not.is_empty(), "{root}/{room} does not import {not:?}, as the map says");
        }
        // Files without a room stand below all rooms.
        for (at, targets) in imports(&modules).into_iter().filter(|(at, _)| at.len() == 1) {
            if folders.contains(&at[0]) {
                continue;
            }
            let above = targets.iter().find(|to| to.first().is_some_and(|to| folders.contains(to)));
            assert!(above.is_none(), "{}: imports {above:?}", modules[at].file);
        }
    }
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
    write("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod c;\npub use a::A;\n");
    write("a.rs", "// use crate::b::B;\npub struct A;\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n");
    write("b.rs", "use crate::{self, A as Other};\npub struct B(Other);\n");
    let root = folder.path().to_str().unwrap();
    assert!(circles(&crate_at(root)).is_empty());
    fs::write(Path::new(root).join("a.rs"), "pub struct A;\nfn f() { crate::b::g(); }\n").unwrap();
    assert_eq!(circles(&crate_at(root))[0].len(), 2);
}
