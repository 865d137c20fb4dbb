//! Programs that use `cubebase.h`, compiled by each compiler and linked in each way.

use crate::compiled::{
    CUBEBASE, FATHOM, Linked, fathom_sources, installed, of_crate, present, printed, program, readme, syzygy,
};
use crate::fathom::{ENGINE, with_fathom};
use crate::positions::{self, Asked};
use std::process::Command;

#[test]
fn the_example_compiles_and_runs_in_c_and_in_cpp() {
    for compiler in present(&["gcc", "clang", "g++"]) {
        for linked in [Linked::Shared, Linked::Static] {
            let example = program(compiler, "examples/probe.c", CUBEBASE, linked, None);
            let answers = "tables of up to 4 men\nBlack to move: loss\nWhite to move: win\n";
            assert_eq!(printed(&example, &[], None), answers, "{compiler} {linked:?}");
            let bundle = of_crate("../../fixtures/four-men.pcb");
            assert_eq!(printed(&example, &[bundle.as_ref()], None), answers);
        }
    }
}

/// The example lines of the README, inside a program with a position.
#[test]
fn the_readme_example_compiles_and_runs() {
    let head = "#include <cubebase.h>\n#include <stdio.h>\nint main(void)\n{\nuint64_t white = 1, black = UINT64_C(1) << 63, pawns = 1 << 8, kings = white | black, queens = 0, rooks = 0;\n\
                    uint64_t bishops = 0, knights = 0;\nunsigned en_passant = 0;\nbool white_to_move = true;\nwhite |= pawns;\n";
    readme("```c\n", [head, "return 0;\n}\n"], CUBEBASE, "win\n");
}

/// The size in the README, of which the tables and one copy of the rules library's table of moves are 2 MB.
#[test]
#[cfg(target_os = "linux")]
fn a_shared_library_has_three_megabytes() {
    for library in [CUBEBASE, FATHOM] {
        let bytes = std::fs::metadata(installed().join(format!("lib/lib{library}.so"))).unwrap().len();
        assert!((2_700_000..3_300_000).contains(&bytes), "{library}: {bytes}");
    }
}

#[test]
fn the_example_prints_errors() {
    for compiler in present(&["gcc"]) {
        let example = program(compiler, "examples/probe.c", CUBEBASE, Linked::Sanitized, None);
        let output = Command::new(&example).arg("no such file").output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("error: cannot read no such file: "), "{error}");
    }
}

#[test]
fn a_hundred_thousand_outcomes_equal_those_in_rust() {
    let asked = positions::random(1, 100_000);
    let input = positions::file(asked.iter().map(|asked| asked.line(0, 0)));
    let expected: Vec<String> = asked.iter().map(|asked| asked.outcome().to_string()).collect();
    for compiler in present(&["gcc", "clang"]) {
        for linked in [Linked::Shared, Linked::Static, Linked::Sanitized] {
            let caller = program(compiler, "tests/c/positions.c", CUBEBASE, linked, None);
            let answers = printed(&caller, &[], Some(input.path()));
            let answers: Vec<&str> = answers.lines().collect();
            assert_eq!(answers.len(), expected.len());
            for ((answer, expected), asked) in answers.iter().zip(&expected).zip(&asked) {
                assert_eq!(answer, expected, "{asked:?}");
            }
        }
    }
}

#[test]
fn a_hundred_thousand_positions_have_the_outcomes_of_syzygy() {
    let (Some(sources), Some(syzygy)) = (fathom_sources(), syzygy()) else { return };
    let asked = positions::random(13, 100_000);
    let input = positions::file(asked.iter().map(|asked| asked.line(0, 0)));
    for compiler in present(&["gcc"]) {
        let theirs =
            printed(&with_fathom(compiler, ENGINE, &sources), &[syzygy.as_os_str()], Some(input.path()));
        let caller = program(compiler, "tests/c/positions.c", CUBEBASE, Linked::Shared, None);
        let ours = printed(&caller, &[], Some(input.path()));
        assert_eq!(ours.lines().count(), asked.len());
        for ((ours, theirs), asked) in ours.lines().zip(theirs.lines().skip(1)).zip(&asked) {
            assert_eq!(format!("wdl {ours}"), theirs, "{asked:?}");
        }
    }
}

#[test]
fn positions_without_an_answer_have_a_status_in_c() {
    let asked = positions::random(2, 1)[0];
    let no_king = Asked { roles: [0; 6], colors: [0; 2], ..asked };
    let beyond = Asked { passed: 64, ..asked };
    // A 50-move counter; a castling right without its king and rook, and one that does not exist.
    let counted = [asked.line(1, 0), asked.line(0, 1), asked.line(0, 16)];
    let lines = counted.into_iter().chain([no_king.line(0, 0), beyond.line(0, 0)]);
    let input = positions::file(lines);
    for compiler in present(&["gcc"]) {
        let caller = program(compiler, "tests/c/positions.c", CUBEBASE, Linked::Sanitized, None);
        assert_eq!(
            printed(&caller, &[], Some(input.path())),
            "status 7\nstatus 8\nstatus 9\nstatus 9\nstatus 9\n"
        );
    }
}
