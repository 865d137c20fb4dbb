//! `berkeley FILE`: minimizes one PLA with Berkeley's program, and writes a PLA that our commands can read.

use crate::berkeley;
use anyhow::{Context, Result};
use cubebase::{Error, atomic};
use espresso::{Cover, Function, Pla, PlaType, check, compact::compact};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Minimize one PLA with Berkeley's program and write its ON-set.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench berkeley KQvK.pla --compact -o KQvK.min.pla")]
pub struct Arguments {
    /// The PLA to minimize.
    file: PathBuf,
    /// Output file; by default standard output.
    #[arg(short, long, value_name = "PLA")]
    out: Option<PathBuf>,
    /// First merge cubes at distance one in F, D and R, by our compaction.
    #[arg(long)]
    compact: bool,
}

/// Runs the command. Returns `false` if our check finds the result wrong.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let path = &arguments.file;
    let pla = read(path)?;
    let function = Function::from_pla(&pla).with_context(|| path.display().to_string())?;
    let mut given = Function::new(function.on.clone(), function.dc.clone(), function.blocking_on())?;
    if arguments.compact {
        for cover in [&mut given.on, &mut given.dc, &mut given.off] {
            compact(cover);
        }
    }
    let (cover, time) = berkeley::minimize(&given.on, &given.dc, Some(&given.off))?;
    eprintln!(
        "{}: {} cubes, minimized to {} cubes and {} literals in {:.3} s",
        path.display(),
        given.on.len(),
        cover.len(),
        cover.literals(),
        time.as_secs_f64()
    );
    let verdict = is_right(&function, &cover, &format!("{}: Berkeley's result", path.display()));
    let Pla { input_labels, output_labels, .. } = pla;
    let pla = Pla { input_labels, output_labels, ..Pla::from_cover(cover) };
    match &arguments.out {
        None => pla.write(&mut std::io::stdout().lock(), PlaType::F)?,
        Some(out) => atomic::write(out, |mut out| pla.write(&mut out, PlaType::F).map_err(Error::from))
            .with_context(|| format!("cannot write {}", out.display()))?,
    }
    Ok(verdict)
}

pub fn read(path: &Path) -> Result<Pla> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Pla::read(BufReader::new(file)).with_context(|| path.display().to_string())
}

/// Whether `cover` is right for `function`; if not, prints an error about `what` to standard error.
pub fn is_right(function: &Function, cover: &Cover, what: &str) -> bool {
    check::result(function, cover).inspect_err(|mismatch| eprintln!("{what} is wrong: {mismatch}")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimized(text: &str, compact: bool) -> String {
        let directory = tempfile::tempdir().unwrap();
        let (file, out) = (directory.path().join("f.pla"), directory.path().join("out.pla"));
        std::fs::write(&file, text).unwrap();
        let arguments = Arguments { file, out: Some(out.clone()), compact };
        assert!(run(&arguments).unwrap());
        std::fs::read_to_string(out).unwrap()
    }

    #[test]
    fn covers_that_meet_inside_the_dont_cares_are_no_contradiction() {
        let text = ".i 2\n.o 1\n.ilb a b\n.ob f\n.type fdr\n0- 1\n-1 -\n-1 0\n10 0\n.e\n";
        for compact in [false, true] {
            assert_eq!(minimized(text, compact), ".i 2\n.o 1\n.ilb a b\n.ob f\n.p 1\n0- 1\n.e\n");
        }
    }

    #[test]
    fn a_file_that_is_no_pla_is_an_error_with_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("bad.pla");
        std::fs::write(&file, ".i 2\n.o x\n").unwrap();
        let error = run(&Arguments { file, out: None, compact: false }).unwrap_err();
        assert!(format!("{error:#}").contains("bad.pla: line 2"), "{error:#}");
    }
}
