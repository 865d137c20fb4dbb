//! The drop-in for Fathom: a program compiled with Fathom's own header gives the same answers when linked with Fathom's
//! `tbprobe.c` as when linked with the library.

use crate::compiled::{FATHOM, Linked};
use crate::compiled::{built, compiler, fathom_sources, of_crate, present, printed, program, syzygy};
use crate::positions;
use crate::random::Random;
use crate::skip;
use std::ffi::OsStr;
use std::path::Path;

pub const ENGINE: &str = "tests/c/engine.c";

/// The caller linked with Fathom itself.
pub fn with_fathom(name: &str, caller: &str, sources: &Path) -> std::path::PathBuf {
    // Fathom's own file causes warnings.
    let mut object = std::process::Command::new(name);
    object.args(["-std=c11", "-O2", "-w", "-c"]).arg(sources.join("tbprobe.c")).arg("-I").arg(sources);
    let object = built(&mut object, "tbprobe.o");
    let mut command = compiler(name, caller);
    let program = format!("{}-fathom", Path::new(caller).file_stem().unwrap().display());
    built(command.arg("-I").arg(sources).arg(object).arg("-lpthread"), &program)
}

#[test]
fn the_example_compiles_with_fathoms_own_header_and_runs() {
    let Some(sources) = fathom_sources() else { return };
    for compiler in present(&["gcc", "clang", "g++"]) {
        for linked in [Linked::Shared, Linked::Static, Linked::Sanitized] {
            let example = program(compiler, "examples/fathom.c", FATHOM, linked, Some(&sources));
            let answers = printed(&example, &[], None);
            let ranks = "f6e5 0\nf6f5 0\nf6g5 0\nf6g6 0\nf6g7 0\ne6e7 1000\n";
            assert_eq!(answers, format!("White to move: win\n{ranks}"), "{compiler} {linked:?}");
        }
    }
}

#[test]
fn a_hundred_thousand_positions_have_the_outcomes_of_fathom() {
    let (Some(sources), Some(syzygy)) = (fathom_sources(), syzygy()) else { return };
    let asked = positions::random(3, 100_000);
    let input = positions::file(asked.iter().map(|asked| asked.line(0, 0)));
    compare(&sources, &syzygy, input.path(), &[], asked.len());
}

/// Ranks, scores, distances and the suggested move, against Fathom with its DTZ files.
#[test]
fn the_moves_of_five_thousand_roots_have_the_ranks_of_fathom() {
    let (Some(sources), Some(mut syzygy)) = (fathom_sources(), syzygy()) else { return };
    let with_distances = syzygy.with_file_name("syzygy-dtz");
    if !with_distances.is_dir() {
        skip::for_want_of("../shared/syzygy-dtz");
        return;
    }
    if !positions::have_distances() {
        return;
    }
    syzygy.as_mut_os_string().push(":");
    syzygy.as_mut_os_string().push(&with_distances);
    let asked = positions::random(4, 5_000);
    let mut random = Random(5);
    let mut lines = Vec::new();
    for asked in &asked {
        let rule50 = if random.below(4) == 0 { random.below(130) } else { 0 };
        lines.push(asked.line(rule50, u64::from(random.below(20) == 0)));
    }
    let input = positions::file(lines);
    let answers = compare(&sources, &syzygy, input.path(), &[OsStr::new("roots")], asked.len());
    // The comparison must include more than failures.
    for found in ["ranks 1", "distances 1", "distances 0", " root draws", " root ffffffff"] {
        let count = answers.iter().filter(|answer| answer.contains(found)).count();
        assert!(count > asked.len() / 50, "{found}: {count}");
    }
}

/// Prints the time of `tb_probe_root` for ten thousand positions, with the tables in memory.
#[test]
#[ignore = "a measurement, for --release"]
fn the_time_of_a_root() {
    let (Some(sources), Some(mut syzygy)) = (fathom_sources(), syzygy()) else { return };
    let with_distances = syzygy.with_file_name("syzygy-dtz");
    syzygy.as_mut_os_string().push(":");
    syzygy.as_mut_os_string().push(&with_distances);
    let input = positions::file(positions::random(8, 10_000).iter().map(|asked| asked.line(0, 0)));
    let caller = "tests/c/time.c";
    let theirs = printed(&with_fathom("gcc", caller, &sources), &[syzygy.as_os_str()], Some(input.path()));
    let program = program("gcc", caller, FATHOM, Linked::Static, Some(&sources));
    let ours = printed(&program, &[OsStr::new("")], Some(input.path()));
    println!("nanoseconds a root: {}, Fathom {}", ours.trim(), theirs.trim());
}

/// Whether two answers about a root differ only because Syzygy's distances are rounded: our distance can then be one more, the
/// suggested move another, and a rank another one of the same sign.
fn is_rounded(ours: &str, theirs: &str) -> bool {
    let [mut ours, mut theirs] = [ours, theirs].map(str::split_whitespace);
    let mut is_root = false;
    let tokens_agree = ours.by_ref().zip(theirs.by_ref()).all(|(ours, theirs)| {
        let was_root = std::mem::replace(&mut is_root, ours == "root");
        let parts = |token: &str| token.split(':').map(str::to_owned).collect::<Vec<_>>();
        let bits = |token: &str| u32::from_str_radix(token, 16).ok();
        match (parts(ours).as_slice(), parts(theirs).as_slice()) {
            _ if ours == theirs => true,
            ([move_, rank, _], [their_move, their_rank, _]) => {
                move_ == their_move && rank.starts_with('-') == their_rank.starts_with('-')
            }
            _ => bits(ours).zip(bits(theirs)).is_some_and(|(ours, theirs)| {
                let is_same_move = (ours ^ theirs) & 0xf_fff0 == 0;
                (ours >> 20).wrapping_sub(theirs >> 20) <= 1 && (is_same_move || was_root)
            }),
        }
    });
    tokens_agree && ours.next().is_none() && theirs.next().is_none()
}

/// An engine that uses only Fathom's functions wins three endgames against the best defence under the 50-move rule.
#[test]
fn won_endgames_are_played_to_mate() {
    let Some(sources) = fathom_sources().filter(|_| positions::have_distances()) else { return };
    let won = ["KBNvK", "KQvKR", "KRvKN"].map(|material| positions::won(17, material, 67));
    let fens: Vec<String> = won.concat();
    let input = positions::file(fens.iter().cloned());
    for compiler in present(&["gcc"]) {
        let example = program(compiler, "examples/mate.c", FATHOM, Linked::Sanitized, Some(&sources));
        let answers = printed(&example, &[], Some(input.path()));
        assert_eq!(answers.lines().count(), fens.len());
        for (answer, fen) in answers.lines().zip(&fens) {
            assert!(answer.starts_with("mate after "), "{fen}: {answer}");
        }
    }
}

/// Compares the answers of both about the positions at `input`; returns them.
fn compare(sources: &Path, syzygy: &Path, input: &Path, more: &[&OsStr], count: usize) -> Vec<String> {
    let mut answers = Vec::new();
    for compiler in present(&["gcc"]) {
        let arguments = |path| [&[path], more].concat();
        let theirs =
            printed(&with_fathom(compiler, ENGINE, sources), &arguments(syzygy.as_os_str()), Some(input));
        let lines = std::fs::read_to_string(input).unwrap();
        for linked in [Linked::Shared, Linked::Static, Linked::Sanitized] {
            let engine = program(compiler, ENGINE, FATHOM, linked, Some(sources));
            let ours = printed(&engine, &arguments(OsStr::new("")), Some(input));
            assert_eq!(ours.lines().count(), count + 1);
            assert_eq!(ours.lines().next(), Some("largest 4"));
            let mut rounded = 0;
            for ((ours, theirs), line) in ours.lines().zip(theirs.lines()).skip(1).zip(lines.lines()) {
                rounded += usize::from(ours != theirs);
                assert!(ours == theirs || is_rounded(ours, theirs), "{line}\n{ours}\n{theirs}");
            }
            assert!(rounded <= count / 3 && (rounded == 0) == more.is_empty(), "{rounded}");
            assert_eq!(ours.lines().count(), theirs.lines().count());
        }
        answers = theirs.lines().map(str::to_owned).collect();
    }
    answers
}

/// An empty path in every spelling, and paths without tables.
#[test]
fn the_embedded_tables_are_always_there() {
    let Some(sources) = fathom_sources() else { return };
    let asked = positions::random(6, 70);
    let input = positions::file(asked.iter().map(|asked| asked.line(0, 0)));
    let bundle = of_crate("../../fixtures/four-men.pcb").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let nothing = folder.path().display();
    let outcomes = asked.iter().map(|asked| format!("wdl {}\n", asked.outcome()));
    let expected: String = std::iter::once("largest 4\n".to_owned()).chain(outcomes).collect();
    for compiler in present(&["gcc"]) {
        let engine = program(compiler, ENGINE, FATHOM, Linked::Sanitized, Some(&sources));
        let (several, damaged) =
            (format!("{nothing}::{nothing}/missing:{bundle}:"), tempfile::tempdir().unwrap());
        // Answers stay those of the embedded table.
        let mut bytes = std::fs::read(of_crate("../../fixtures/fuzz/pcn/KQvK-attack-pcn.pcn")).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(damaged.path().join("KQvK.pcn"), bytes).unwrap();
        let (damaged, empty) = (damaged.path().to_str().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(empty.path().join("KQvK.dtz.pcn"), "").unwrap();
        for (path, found) in [
            ("", ""),
            ("<empty>", ""),
            ("/no/such/directory", "not all found\n"),
            (&several, "not all found\n"),
            (damaged, "not all found\n"),
            (empty.path().to_str().unwrap(), "not all found\n"),
        ] {
            let expected = format!("{found}{expected}");
            assert_eq!(printed(&engine, &[path.as_ref()], Some(input.path())), expected, "{path}");
        }
    }
}
