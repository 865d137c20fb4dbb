//! No file of the crates imports, by whatever way around, a file that imports it.
//!
//! Reads the sources as text: which modules there are, what each takes from another by `use` or by a path in its code,
//! and, where that is only passed on (`pub use`), from where. Test modules do not count. A circle of files means that
//! none of them can be read, tested or moved alone. What a file takes from the `mod.rs` above it is let pass: the words of a
//! room may stand where it is wired together.

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

/// The code without comments, literals and test modules, and the names of the modules in files of their own.
fn strip(text: &str) -> (String, Vec<String>) {
    let mut code = String::new();
    let mut files = Vec::new();
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
            files.push(name.to_owned());
            continue;
        }
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

/// Reads the module at `file`, whose files of child modules lie in `folder`, and those.
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
    for child in &children {
        let path: Vec<String> = at.iter().chain([child]).cloned().collect();
        let (flat, deep) = (folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs"));
        read(if flat.exists() { &flat } else { &deep }, &folder.join(child), &path, modules);
    }
    modules.insert(at.to_vec(), module);
}

/// The modules that `path`, written in module `from`, takes something from.
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

/// The groups of modules that import each other, by whatever way around.
fn circles(modules: &Modules) -> Vec<Vec<&str>> {
    let mut reached: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (at, module) in modules {
        let paths = module.names.values().chain(&module.paths);
        let targets = paths.filter_map(|path| resolve(modules, at, path, 0)).filter(|to| !at.starts_with(to));
        reached.insert(at, targets.collect());
    }
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

fn crate_at(root: &str) -> Modules {
    let mut modules = Modules::new();
    let root = Path::new(root);
    read(&root.join("lib.rs"), root, &[], &mut modules);
    modules
}

#[test]
fn no_file_imports_itself_by_a_way_around() {
    for root in ["src", "espresso/src"] {
        let modules = crate_at(root);
        assert!(modules.len() > 30, "the modules of {root} are found");
        let circles = circles(&modules);
        assert!(circles.is_empty(), "files of {root} that import each other:\n{circles:#?}");
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
