//! `doctor`: problems in files of tables of both games, advice on each, and the missing tables of chess.

use super::args::Doctor;
use super::games::material_name;
use super::sources::{Source, embedded, extension_of, sources};
use super::values::Format;
use super::{counted, one_line, paint, print, print_json};
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind};
use crate::pcn::{DistanceSummary, Pcn, Summary};
use crate::probe::{DISTANCES, EXTENSION, RANKING};
use crate::xiangqi;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

struct Problem {
    /// The file, or the table in a bundle; `None` for missing tables.
    path: Option<PathBuf>,
    what: String,
    advice: String,
    /// Whether the problem is a file that cannot be read.
    is_unreadable: bool,
}

impl Problem {
    fn of(error: &Error, path: &Path) -> Self {
        // `text` prints the path before the message.
        let text = one_line(error);
        let what = text.strip_prefix(&*path.display().to_string()).unwrap_or(&text);
        let what = what.trim_start_matches([':', ' ']).to_owned();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split_once('.'));
        let anew = name.and_then(|(name, extension)| Some((material_name(name)?, extension)));
        let anew = anew.map_or_else(String::new, |(material, extension)| {
            format!(", or rebuild it: {}", build(&material, extension))
        });
        let advice = match error.kind() {
            ErrorKind::Io => "check that it exists and is readable".into(),
            ErrorKind::BadMagic => format!("put the right one in its place{anew}"),
            ErrorKind::UnsupportedVersion => format!("use the cubebase that made it, or a newer one{anew}"),
            ErrorKind::MissingTable => {
                "name a directory of .pcn files: cubebase build 4 --out DIR makes one".into()
            }
            _ => {
                let file = if path.parent().is_some_and(Path::is_file) { "the bundle" } else { "it" };
                format!("copy {file} again from its source{anew}")
            }
        };
        let is_unreadable = error.kind() == ErrorKind::Io;
        Problem { path: Some(path.to_owned()), what, advice, is_unreadable }
    }

    /// A file whose name is that of another table.
    fn misnamed(error: &Error, file: &Source) -> Self {
        let mut problem = Self::of(error, &file.path);
        if !file.is_bundled() {
            problem.advice = "rename it, and put the right table in its place".into();
        }
        problem
    }

    fn text(&self) -> String {
        let place = self.path.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
        format!("{place}{}; {}\n", paint::out(paint::BAD, &self.what), self.advice)
    }

    fn json(&self) -> Value {
        json!({
            "file": self.path.as_ref().map(|path| path.display().to_string()),
            "problem": self.what,
            "advice": self.advice,
        })
    }
}

/// The present and missing tables of one number of men.
struct Complete {
    men: usize,
    /// The number of all possible tables.
    all: usize,
    missing: Vec<Material>,
}

/// Removes files that are named a second time, also by their directories.
fn keep_first(files: &mut Vec<Source>) {
    let mut named = HashSet::new();
    files.retain(|file| {
        let place = file.path.parent().filter(|place| !place.as_os_str().is_empty());
        let place = fs::canonicalize(place.unwrap_or(Path::new("."))).ok();
        place.is_none_or(|place| named.insert((place, file.path.file_name().map(ToOwned::to_owned))))
    });
}

pub(super) fn doctor(args: &Doctor) -> crate::Result<ExitCode> {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    if args.paths.is_empty() {
        files = embedded()?;
    }
    for path in &args.paths {
        match sources(path, &[EXTENSION]) {
            Ok(found) => files.extend(found),
            Err(error) => problems.push(Problem::of(&error, path)),
        }
    }
    keep_first(&mut files);
    let examined: Vec<Result<Found, Problem>> = files.par_iter().map(examine).collect();
    let (mut places, mut sound, mut of_xiangqi) = (HashMap::new(), 0, 0);
    // The hashes of outcome tables: of outcomes, and of distances.
    let (mut chess, mut of_distances) = (HashMap::new(), Vec::new());
    for (file, examined) in files.iter().zip(examined) {
        let path = &file.path;
        let found = match examined {
            Ok(found) => found,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        sound += 1;
        let shown = found.to_string();
        match found {
            Found::Xiangqi(_) => of_xiangqi += 1,
            Found::Outcomes { material, hash, knows_rule } => {
                chess.insert(material, (hash, knows_rule));
            }
            Found::Distances(material, hash, extension) => {
                of_distances.push((material, hash, extension, file));
            }
        }
        if let Some(other) = places.insert(shown.clone(), path) {
            problems.push(Problem {
                path: Some(path.clone()),
                what: format!("{shown} is also in {}", other.display()),
                advice: "the last one named answers: remove the other".into(),
                is_unreadable: false,
            });
        }
    }
    let built_in = if of_distances.is_empty() { HashMap::new() } else { built_in_hashes()? };
    problems.extend(of_distances.into_iter().filter_map(|(material, hash, extension, file)| {
        let outcomes =
            chess.get(&material).map(|(hash, _)| hash).or_else(|| built_in.get(&material)).copied();
        problem_of_distances(&material, (hash, extension), outcomes, &file.path)
    }));
    let mut without_rule: Vec<Material> =
        chess.iter().filter(|(_, (_, knows_rule))| !knows_rule).map(|(material, _)| *material).collect();
    without_rule.sort_by_key(ToString::to_string);
    let chess: HashSet<Material> = chess.into_keys().collect();
    let sets = sets(&chess, args.complete.map(usize::from));
    if let Some(men) = args.complete.map(usize::from) {
        let missing: Vec<Material> =
            sets.iter().filter(|set| set.men <= men).flat_map(|set| set.missing.clone()).collect();
        if !missing.is_empty() {
            problems.push(Problem {
                path: None,
                what: format!(
                    "{} of up to {men} men missing: {}",
                    counted(missing.len(), "table"),
                    names(&missing)
                ),
                advice: format!("make them: cubebase build {} --out DIR", names(&missing)),
                is_unreadable: false,
            });
        }
    }
    let report = Report { problems: &problems, sound, of_xiangqi, without_rule: &without_rule, sets: &sets };
    match args.format {
        Format::Text => print(report.text())?,
        Format::Json => print_json(&report.json())?,
    }
    Ok(ExitCode::from(if problems.iter().any(|problem| problem.is_unreadable) {
        3
    } else {
        u8::from(!problems.is_empty())
    }))
}

/// The hashes of the outcome tables of the built-in files, which answer beside those of `--tables`.
fn built_in_hashes() -> crate::Result<HashMap<Material, [u8; 8]>> {
    let summary = |file: &Source| Summary::decode(&file.read()?);
    embedded()?
        .iter()
        .map(|file| summary(file).map(|summary| (summary.material, summary.table_hash)))
        .collect()
}

/// The problem of a file of distances or of a ranking with the hash of its outcome table and its extension, beside outcomes with their
/// own, in a file or built in, if there are some.
fn problem_of_distances(
    material: &Material,
    (hash, extension): ([u8; 8], &str),
    outcomes: Option<[u8; 8]>,
    path: &Path,
) -> Option<Problem> {
    let (what, advice) = match outcomes {
        None => {
            ("its outcomes are missing".into(), format!("put them beside it: {}", build(material, EXTENSION)))
        }
        Some(of) if of != hash => (
            format!(
                "{} of another table than the outcomes of {material}",
                if extension == RANKING { "this ranking is" } else { "these distances are" }
            ),
            format!(
                "make {} anew: {}",
                if extension == RANKING { "it" } else { "them" },
                build(material, extension)
            ),
        ),
        Some(_) => return None,
    };
    Some(Problem { path: Some(path.to_owned()), what, advice, is_unreadable: false })
}

/// The command that makes a file.
fn build(material: &dyn Display, extension: &str) -> String {
    let option = match extension {
        DISTANCES => " --distances",
        RANKING => " --ranking",
        _ => "",
    };
    format!("cubebase build {material}{option} --out DIR")
}

/// A table without a problem of its own; a table of chess with the hash of its outcome table.
enum Found {
    Xiangqi(xiangqi::Material),
    Outcomes {
        material: Material,
        hash: [u8; 8],
        knows_rule: bool,
    },
    /// Distances or a ranking, by the extension.
    Distances(Material, [u8; 8], &'static str),
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Xiangqi(material) => material.fmt(f),
            Found::Outcomes { material, .. } => material.fmt(f),
            Found::Distances(material, _, RANKING) => write!(f, "{material}: the ranking"),
            Found::Distances(material, ..) => write!(f, "{material}: the distances"),
        }
    }
}

/// Decodes the whole table and checks its name.
fn examine(file: &Source) -> Result<Found, Problem> {
    let of = |error| Problem::of(&error, &file.path);
    let bytes = file.read().map_err(of)?;
    let (found, named) = if xiangqi::Clauses::are_in(&bytes) {
        let material = *xiangqi::Clauses::decode(&bytes).map_err(of)?.material();
        (Found::Xiangqi(material), file.check(&material, EXTENSION))
    } else if DistanceSummary::is_of(&bytes) {
        let summary = DistanceSummary::decode(&bytes).map_err(of)?;
        let extension = extension_of(&summary);
        let DistanceSummary { material, table_hash, .. } = summary;
        (Found::Distances(material, table_hash, extension), file.check(&material, extension))
    } else {
        let pcn = Pcn::decode(&bytes).map_err(of)?;
        let (material, hash, knows_rule) = (*pcn.material(), pcn.table_hash(), pcn.knows_rule());
        (Found::Outcomes { material, hash, knows_rule }, file.check(&material, EXTENSION))
    };
    named.map_err(|error| Problem::misnamed(&error, file))?;
    Ok(found)
}

/// The present and missing tables of chess by the number of men, up to the largest number present or asked for.
fn sets(present: &HashSet<Material>, asked: Option<usize>) -> Vec<Complete> {
    let most = present.iter().map(Material::len).chain(asked).max().unwrap_or(0);
    let set = |men| {
        let mut missing = Material::all(men);
        let all = missing.len();
        missing.retain(|material| !present.contains(material));
        Complete { men, all, missing }
    };
    (2..=most).map(set).collect()
}

fn names(materials: &[Material]) -> String {
    let names: Vec<String> = materials.iter().map(ToString::to_string).collect();
    names.join(" ")
}

/// The findings about all files.
struct Report<'a> {
    problems: &'a [Problem],
    sound: usize,
    of_xiangqi: usize,
    /// The tables of chess whose files do not know the 50-move rule.
    without_rule: &'a [Material],
    sets: &'a [Complete],
}

impl Report<'_> {
    fn text(&self) -> String {
        let Report { problems, sound, of_xiangqi, without_rule, sets } = *self;
        let mut text: String = problems.iter().map(Problem::text).collect();
        let style = if problems.is_empty() { paint::GOOD } else { paint::BAD };
        let of_xiangqi =
            if of_xiangqi > 0 { format!(" ({of_xiangqi} of Chinese chess)") } else { String::new() };
        let sound = format!("{} sound{of_xiangqi}", counted(sound, "table"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{sound}, {}", paint::out(style, counted(problems.len(), "problem")));
        for Complete { men, all, missing } in sets {
            let missing_names =
                if missing.is_empty() { String::new() } else { format!("; missing: {}", names(missing)) };
            let _ = writeln!(text, "{men} men: {} of {all}{missing_names}", all - missing.len());
        }
        if sets.iter().any(|set| !set.missing.is_empty()) {
            text += "No table needs those that its captures and promotions lead to: only positions of missing tables have no \
                     answer.\n";
        }
        if !without_rule.is_empty() {
            let names = names(without_rule);
            let _ = writeln!(
                text,
                "50-move rule: not known for {names}; files made from distances to zeroing know it: cubebase generate {names} \
                 --metric dtz --out TABLES, then cubebase minimize for each with --tables TABLES"
            );
        }
        text
    }

    fn json(&self) -> Value {
        let names = |materials: &[Material]| materials.iter().map(ToString::to_string).collect::<Vec<_>>();
        let set = |set: &Complete| {
            let (there, missing) = (set.all - set.missing.len(), names(&set.missing));
            json!({ "men": set.men, "tables": there, "tables_in_all": set.all, "missing": missing })
        };
        json!({
            "sound_tables": self.sound,
            "sound_xiangqi_tables": self.of_xiangqi,
            "problems": self.problems.iter().map(Problem::json).collect::<Vec<_>>(),
            "without_50_move_rule": names(self.without_rule),
            "by_men": self.sets.iter().map(set).collect::<Vec<_>>(),
        })
    }
}
