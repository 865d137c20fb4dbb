//! Checks that the representations of a table count the same outcomes.

use cubebase::cli::baselines::{self, Line};

/// Prints each line that disagrees, and the numbers of lines. Returns whether all agree.
pub fn check(lines: &[Line]) -> bool {
    let mut disagreeing = 0;
    for material in baselines::materials(lines) {
        let counts = |line: &Line| [line.asked, line.losses, line.draws, line.wins];
        let mut own = lines.iter().filter(|line| line.material == material && line.limit.is_none());
        let Some(first) = own.next() else { continue };
        for line in own.filter(|line| counts(line) != counts(first) || line.asked.is_none()) {
            let names = [&line.representation, &first.representation];
            println!("{material}: {} counts {:?}, {} {:?}", names[0], counts(line), names[1], counts(first));
            disagreeing += 1;
        }
    }
    let limits = lines.iter().filter(|line| line.limit.is_some()).count();
    println!("{} lines, {limits} at a limit, {disagreeing} disagree", lines.len());
    disagreeing == 0
}
