//! The minimizer in C: the example, compiled by each compiler and linked in each way, and calls that must fail.

#![allow(unsafe_code, reason = "calls of the C ABI")]

use crate::compiled::{ESPRESSO, Linked, of_crate, present, printed, program, readme};
use crate::random::Random;
use espresso_capi::api::{self, Handle, Options, Report, Status};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// A handle that is freed at the end.
struct Made(*mut Handle);

// SAFETY: a handle does not change.
unsafe impl Sync for Made {}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: the handle is not used again.
        unsafe { api::espresso_free(self.0) }
    }
}

fn parse(text: &str, format: &CStr) -> (Status, Made) {
    let mut handle = null_mut();
    // SAFETY: the text has this length, and the pointer to the handle is valid for writing.
    let status =
        unsafe { api::espresso_parse(text.as_ptr().cast(), text.len(), format.as_ptr(), &raw mut handle) };
    (status, Made(handle))
}

fn minimize(function: &Made, options: Options) -> (Status, Made, Report) {
    let (mut handle, mut report) = (null_mut(), Report::default());
    // SAFETY: the function is a handle, and the pointers are valid.
    let status =
        unsafe { api::espresso_minimize(function.0, &raw const options, &raw mut handle, &raw mut report) };
    (status, Made(handle), report)
}

fn error(made: &Made) -> &str {
    // SAFETY: the text is valid as long as the handle.
    unsafe { CStr::from_ptr(api::espresso_error_text(made.0)) }.to_str().unwrap()
}

/// A function or a cover as text, or the error, by way of a buffer of `size` bytes.
fn written(made: &Made, format: &CStr, size: usize) -> (Status, String, usize) {
    let (mut buffer, mut length) = (vec![1_u8; size], 0);
    // SAFETY: the buffer has this size, and the pointers are valid.
    let status = unsafe {
        api::espresso_write(made.0, format.as_ptr(), buffer.as_mut_ptr().cast(), size, &raw mut length)
    };
    let text = CStr::from_bytes_until_nul(&buffer).unwrap().to_str().unwrap();
    (status, text.to_owned(), length)
}

/// Pseudo-random letters of `letters`.
fn draw(seed: u64, letters: &[char], count: usize) -> String {
    let mut random = Random(seed);
    (0..count).map(|_| letters[random.below(letters.len() as u64) as usize]).collect()
}

#[test]
fn the_example_prints_the_cubes() {
    let adder = of_crate("../../fixtures/pla/adder.pla");
    for compiler in present(&["gcc", "clang", "g++"]) {
        for linked in [Linked::Shared, Linked::Static, Linked::Sanitized] {
            let example = program(compiler, "examples/minimize.c", ESPRESSO, linked, None);
            let mut rows: Vec<String> = printed(&example, &[], None).lines().map(str::to_owned).collect();
            rows.sort();
            assert_eq!(rows, ["-111", "1-11", "11-1", "3 cubes, no cover has fewer than 3"], "{linked:?}");
            // The adder of two numbers of two bits; eleven cubes are its known minimum.
            let adder = printed(&example, &[adder.as_ref()], None);
            assert_eq!(adder.lines().last(), Some("11 cubes, no cover has fewer than 11"));
            let output = std::process::Command::new(&example).arg(of_crate("Cargo.toml")).output().unwrap();
            assert_eq!(output.status.code(), Some(3));
            assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: line "));
        }
    }
}

/// The lines of the README, inside a program with a text.
#[test]
fn the_lines_of_the_readme_compile_and_run() {
    let head = "#include <cubebase/espresso.h>\n#include <stdio.h>\n#include <string.h>\n\
                static const char text[] = \".i 2\\n.o 1\\n11 1\\n10 1\\n\";\nint main(void)\n{\n";
    let end = "espresso_free(cover);\nespresso_free(function);\nreturn 0;\n}\n";
    readme("## The minimizer\n\n```c\n", [head, end], ESPRESSO, "1 cubes\n");
}

/// Counts its calls, and cancels.
unsafe extern "C" fn stop(data: *mut c_void, stage: *const c_char, _: u64, _: u64) -> c_int {
    // SAFETY: the data is a counter, no other thread uses it during the call, and the text ends with a zero.
    unsafe {
        assert!(!CStr::from_ptr(stage).is_empty());
        *data.cast::<u32>() += 1;
    }
    1
}

#[test]
fn a_time_limit_gives_the_best_cover_and_the_callback_cancels() {
    // The highest effort takes many seconds for random values of ten inputs.
    let tables: Vec<String> = (0..10).map(|seed| draw(seed, &['0', '1', '-'], 1 << 10)).collect();
    let (status, function) = parse(&tables.join("\n"), c"truth-table");
    assert_eq!(status, Status::Ok);
    let options = Options { effort: 4, milliseconds: 700, ..api::espresso_default_options() };
    let (status, cover, report) = minimize(&function, options);
    // On a slow machine the function may not be complete by then.
    if status == Status::Ok {
        assert_eq!((report.cut_short, report.checked), (1, 0));
        assert!((100..=1024).contains(&report.cubes), "{}", report.cubes);
    } else {
        assert_eq!(
            (status, error(&cover)),
            (Status::OutOfTime, "the time limit ended before there was a cover")
        );
    }
    let mut calls = 0_u32;
    let options = Options { progress: Some(stop), data: (&raw mut calls).cast(), milliseconds: 0, ..options };
    let (status, cover, report) = minimize(&function, options);
    assert_eq!((status, error(&cover)), (Status::Cancelled, "cancelled by the callback"));
    assert_eq!((report, calls), (Report::default(), 1));
}

#[test]
fn options_are_obeyed_or_refused() {
    let rows: String = (0..60).map(|seed| draw(seed, &['0', '1', '-', '-'], 9) + " 1\n").collect();
    let (_, function) = parse(&format!(".i 9\n.o 1\n{rows}"), c"pla");
    let default = api::espresso_default_options();
    let threads = [1, 2, 5].map(|threads| {
        let (status, cover, report) = minimize(&function, Options { threads, ..default });
        assert_eq!((status, report.checked, report.cut_short), (Status::Ok, 1, 0));
        written(&cover, c"f", 1 << 16).1
    });
    assert!(threads[0] == threads[1] && threads[1] == threads[2]);
    let (_, _, exact) = minimize(&function, Options { exact: 1, check: 2, ..default });
    let (_, _, unchecked) = minimize(&function, Options { effort: 1, check: 0, ..default });
    assert_eq!((exact.lower_bound, exact.checked, unchecked.checked), (exact.cubes, 1, 0));
    assert!(exact.cubes <= unchecked.cubes);
    let (_, _, short) = minimize(&function, Options { budget: 1, ..default });
    assert_eq!(short.cut_short, 1);
    for wrong in [
        Options { effort: 0, ..default },
        Options { effort: 300, ..default },
        Options { threads: 5000, ..default },
        Options { check: 3, ..default },
    ] {
        let (status, cover, _) = minimize(&function, wrong);
        assert_eq!(status, Status::Unsupported);
        assert!(
            error(&cover).contains("300: it is")
                || error(&cover).contains("0: it is")
                || error(&cover).contains("1024")
                || error(&cover) == "a check of 3: it is 0, 1 or 2"
        );
    }
    // Many threads may use one handle.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (_, cover, _) = minimize(&function, api::espresso_default_options());
                assert_eq!(written(&cover, c"f", 1 << 16).1, threads[0]);
            });
        }
    });
}

#[test]
fn functions_are_written_and_errors_have_a_text() {
    let (status, equations) = parse("f = a & b | !a & c;", c"equations");
    assert_eq!((status, error(&equations)), (Status::Ok, ""));
    let cover = minimize(&equations, api::espresso_default_options()).1;
    let verilog = written(&cover, c"verilog", 1 << 12).1;
    assert!(verilog.contains("(a & b) | (~a & c)") || verilog.contains("(~a & c) | (a & b)"), "{verilog}");
    let whole = written(&cover, c"f", 1 << 12);
    assert_eq!(written(&cover, c"f", 9), (Status::Ok, whole.1[..8].to_owned(), whole.1.len()));
    assert_eq!(written(&cover, c"fd", 200).0, Status::Unsupported);
    assert!(written(&cover, c"dots", 200).1.starts_with("`dots` is not an output format"));
    for (text, format, status, message) in [
        (".i 2\n.o 1\n1x 1\n", c"pla", Status::Syntax, "line 3, column 2: "),
        ("011", c"truth-table", Status::Syntax, "line 1, column 1: "),
        (".i 1\n.o 1\nx1 1\n", c"pla", Status::Syntax, "line 3: text that is not a row"),
        (".i 1\n.o 1\n", c"csv", Status::Unsupported, "`csv` is not"),
    ] {
        let (found, made) = parse(text, format);
        assert_eq!(found, status);
        assert!(error(&made).starts_with(message), "{}", error(&made));
        // The error is passed on.
        let (again, cover, _) = minimize(&made, api::espresso_default_options());
        assert_eq!((again, error(&cover)), (status, error(&made)));
        let text = written(&made, c"f", 200);
        assert_eq!((text.0, text.1.as_str()), (status, error(&made)));
    }
    let (status, function) = parse(".i 1\n.o 1\n.type fr\n1 1\n- 0\n", c"pla");
    assert_eq!(status, Status::Ok);
    assert_eq!(minimize(&function, api::espresso_default_options()).0, Status::Inconsistent);
}

/// A program may unload the library after a call.
#[cfg(target_os = "linux")]
#[test]
fn threads_have_ended_when_a_call_returns() {
    // A thread without a name has the name of the thread that starts it. A joined thread is listed, with the flag PF_EXITING,
    // until the kernel removes it.
    let own = || {
        let name = std::fs::read_to_string("/proc/thread-self/comm").unwrap();
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
        let is_running = |stat: String| {
            let flags = stat.rsplit(')').next().unwrap().split_whitespace().nth(6).unwrap();
            flags.parse::<u32>().unwrap() & 4 == 0
        };
        let ours = tasks.filter(|task| std::fs::read_to_string(task.join("comm")).is_ok_and(|of| of == name));
        ours.filter_map(|task| std::fs::read_to_string(task.join("stat")).ok().map(is_running))
            .filter(|running| *running)
            .count()
    };
    for _ in 0..50 {
        let (_, function) = parse("f = a & b;", c"equations");
        assert_eq!(
            minimize(&function, Options { threads: 8, ..api::espresso_default_options() }).0,
            Status::Ok
        );
        assert_eq!(own(), 1);
    }
}

#[test]
fn null_and_wrong_places_are_refused() {
    let (_, function) = parse(".mv 3 1 3 2\n1 101 10\n- 010 2~\n", c"pla");
    // SAFETY: NULL is allowed everywhere, and the buffer has the given size.
    unsafe {
        let mut row = [1_u8; 7];
        let mut cube = |set: u8, number, size| {
            api::espresso_cube(
                function.0,
                c_char::from_be_bytes([set]),
                number,
                row.as_mut_ptr().cast(),
                size,
            )
        };
        assert_eq!(cube(b'f', 0, 6), Status::OutOfRange);
        assert_eq!(cube(b'f', 1, 7), Status::OutOfRange);
        assert_eq!(cube(b'x', 0, 7), Status::OutOfRange);
        assert_eq!(cube(b'd', 0, 7), Status::Ok);
        assert_eq!(&row, b"-01010\0");
        let sizes = api::espresso_get_sizes(function.0);
        assert_eq!((sizes.binary_inputs, sizes.inputs, sizes.outputs, sizes.columns), (1, 2, 2, 6));
        assert_eq!((sizes.on, sizes.dc, sizes.off), (1, 1, 0));
        assert_eq!([0, 1, 2].map(|input| api::espresso_parts(function.0, input)), [2, 3, 0]);
        let (mut handle, defaults) = (null_mut(), null());
        assert_eq!(api::espresso_parse(null(), 3, null(), &raw mut handle), Status::NullPointer);
        assert_eq!(error(&Made(handle)), "the text is NULL");
        assert_eq!(api::espresso_minimize(null(), null(), &raw mut handle, null_mut()), Status::NullPointer);
        assert_eq!(error(&Made(handle)), "the function is NULL");
        assert_eq!(api::espresso_minimize(function.0, null(), null_mut(), null_mut()), Status::NullPointer);
        assert_eq!(api::espresso_minimize(function.0, defaults, &raw mut handle, null_mut()), Status::Ok);
        let cover = Made(handle);
        assert_eq!(api::espresso_write(null(), null(), null_mut(), 0, null_mut()), Status::NullPointer);
        assert_eq!(api::espresso_write(cover.0, null(), null_mut(), 0, null_mut()), Status::Ok);
        assert_eq!(api::espresso_cube(null(), 0, 0, null_mut(), 0), Status::NullPointer);
        assert_eq!(CStr::from_ptr(api::espresso_error_text(null())), c"");
        assert_eq!(api::espresso_parts(null(), 0), 0);
        api::espresso_free(null_mut());
        let version = CStr::from_ptr(api::espresso_version());
        assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}
