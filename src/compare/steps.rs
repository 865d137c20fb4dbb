//! Several sets of files side by side, so that what each step of knowledge is worth is seen: a column for each set, and
//! what each set keeps by model and shape of its sides to move.

use super::aligned::{aligned, grouped};
use super::{Report, Row, Sides, figure, ratio};
use crate::model::Model;
use crate::position::Material;
use std::collections::BTreeMap;
use std::fmt;

/// Syzygy's smallest files say little but that they are there: below this, no ratio is the worst.
const SMALL_BYTES: u64 = 128;

/// What a side to move may be made of: its file's input model, and its shape.
fn kinds() -> impl Iterator<Item = (Model, &'static str)> {
    Model::ALL.into_iter().flat_map(|model| [(model, "list"), (model, "tree")])
}

impl Report {
    /// The sides to move by their files' input model and their own shape, `list` or `tree`, in this order. Their bytes
    /// and those of [`Report::headers`] are all there are.
    pub fn kinds(&self) -> Vec<(Model, &'static str, Sides)> {
        let total = |(model, shape)| {
            let rows = self.rows.iter().filter(|row| row.ours.model == model);
            let sides = rows.map(|row| if shape == "tree" { row.ours.trees } else { row.ours.lists });
            let sum = |sum: Sides, sides: Sides| Sides {
                count: sum.count + sides.count,
                bytes: sum.bytes + sides.bytes,
            };
            (model, shape, sides.fold(Sides::default(), sum))
        };
        kinds().map(total).filter(|(.., sides)| sides.count > 0).collect()
    }

    /// Bytes of all files that are of no side: magic, hashes, entries of sections, checksums.
    pub fn headers(&self) -> u64 {
        self.rows.iter().map(|row| row.ours.headers()).sum()
    }

    /// The row with the largest ratio to Syzygy's file, those under 128 bytes aside.
    pub fn worst(&self) -> Option<&Row> {
        let compared = |row: &&Row| row.syzygy_bytes.is_some_and(|theirs| theirs >= SMALL_BYTES);
        let ratio = |row: &Row| row.syzygy_ratio().unwrap_or(0.0);
        self.rows.iter().filter(compared).max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
    }
}

/// Sets of files by name. Displays as an aligned table.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    sets: Vec<(String, Report)>,
}

impl Steps {
    /// Returns the sets, in the caller's order.
    pub fn new(sets: Vec<(String, Report)>) -> Self {
        Steps { sets }
    }

    /// Every material that a set has, fewer men first, then by signature, with its row in each set.
    fn rows(&self) -> Vec<(Material, Vec<Option<&Row>>)> {
        let mut rows = BTreeMap::new();
        for (at, (_, report)) in self.sets.iter().enumerate() {
            for row in &report.rows {
                let material = row.ours.material;
                let (_, found) = rows
                    .entry((material.len(), material.to_string()))
                    .or_insert_with(|| (material, vec![None; self.sets.len()]));
                found[at] = Some(row);
            }
        }
        rows.into_values().collect()
    }

    /// A line: its name, a cell for each set, Syzygy's and the paper's bytes, and another cell for each set.
    fn line(
        &self,
        name: impl Into<String>,
        cell: impl Fn(usize) -> String,
        theirs: [String; 2],
        last: impl Fn(usize) -> String,
    ) -> Vec<String> {
        let sets = 0..self.sets.len();
        let mut line = vec![name.into()];
        line.extend(sets.clone().map(cell));
        line.extend(theirs);
        line.extend(sets.map(last));
        line
    }

    /// A line of one figure for each set.
    fn summary(&self, name: &str, cell: impl Fn(&Report) -> String) -> Vec<String> {
        let none = [const { String::new() }; 2];
        self.line(name, |at| cell(&self.sets[at].1), none, |_| String::new())
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |at: usize| self.sets[at].0.clone();
        let theirs = ["syzygy", "paper"].map(String::from);
        let mut lines = vec![self.line("material", name, theirs, |at| format!("{} ratio", name(at)))];
        let mut sums = [0; 2];
        for (material, rows) in self.rows() {
            // What others have does not depend on the set.
            let any = rows.iter().flatten().next();
            let syzygy = any.and_then(|row| row.syzygy_bytes);
            let paper = any.and_then(|row| row.paper?.zipped_bytes).map(u64::from);
            sums[0] += syzygy.unwrap_or(0);
            sums[1] += paper.unwrap_or(0);
            lines.push(self.line(
                material.to_string(),
                |at| figure(rows[at].map(|row| row.ours.bytes)),
                [syzygy, paper].map(figure),
                |at| ratio(rows[at].and_then(Row::syzygy_ratio)),
            ));
        }
        lines.push(self.line(
            "total",
            |at| grouped(self.sets[at].1.bytes),
            sums.map(grouped),
            |at| ratio(self.sets[at].1.syzygy.ratio()),
        ));
        lines.push(self.summary("tables", |report| report.rows.len().to_string()));
        lines.push(self.summary("of the paper", |report| ratio(report.paper.ratio())));
        lines.push(self.summary("worst", |report| ratio(report.worst().and_then(Row::syzygy_ratio))));
        let worst = |row: Option<&Row>| row.map_or_else(|| "-".into(), |row| row.ours.material.to_string());
        lines.push(self.summary("worst table", |report| worst(report.worst())));
        for (model, shape) in kinds() {
            let bytes = |report: &Report| {
                let mut kinds = report.kinds().into_iter();
                kinds.find(|kind| (kind.0, kind.1) == (model, shape)).map(|(.., sides)| sides.bytes)
            };
            if self.sets.iter().any(|(_, report)| bytes(report).is_some()) {
                lines.push(self.summary(&format!("{model}, {shape}"), |report| figure(bytes(report))));
            }
        }
        lines.push(self.summary("headers", |report| grouped(report.headers())));
        f.write_str(&aligned(lines))?;
        write!(
            f,
            "bytes; ratios are to Syzygy's files; the worst leaves those under {SMALL_BYTES} bytes aside; below it \
             the bytes of sides to move by model and shape, and the rest of the files"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::Measured;
    use super::*;

    /// A file of 20 bytes of headers, and for its sides to move a list and a tree of so many; `None` where there is none.
    type File = (&'static str, Model, Option<u64>, Option<u64>);

    fn report(files: &[File]) -> Report {
        let measured = |&(signature, model, list, tree): &File| {
            let sides =
                |bytes: Option<u64>| bytes.map_or(Sides::default(), |bytes| Sides { count: 1, bytes });
            let (lists, trees) = (sides(list), sides(tree));
            let bytes = 20 + lists.bytes + trees.bytes;
            Measured {
                material: signature.parse().unwrap(),
                bytes,
                clauses: 1,
                literals: 0,
                model,
                trees,
                lists,
            }
        };
        Report::new(files.iter().map(measured), &[]).unwrap()
    }

    fn steps() -> Steps {
        let board = [
            ("KvK", Model::Board, None, Some(0)),
            ("KBvK", Model::Board, None, Some(59)),
            ("KQvK", Model::Board, Some(116), None),
            ("KRvK", Model::Board, None, Some(32)),
        ];
        let auto = [("KQvK", Model::Attack, None, Some(48)), ("KRvK", Model::Board, Some(4), Some(2))];
        Steps::new(vec![("board".into(), report(&board)), ("auto".into(), report(&auto))])
    }

    #[test]
    fn sets_stand_side_by_side() {
        let expected = "\
material      board   auto  syzygy  paper  board ratio  auto ratio
KvK              20      -       -     64            -           -
KBvK             79      -      80     64        0.988           -
KQvK            136     68     272    748        0.500       0.250
KRvK             52     26     208    636        0.250       0.125
total           287     94     560  1,512        0.477       0.196
tables            4      2
of the paper  0.190  0.068
worst         0.500  0.250
worst table    KQvK   KQvK
board, list     116      4
board, tree      91      2
attack, tree      -     48
headers          80     40
bytes; ratios are to Syzygy's files; the worst leaves those under 128 bytes aside; below it the bytes of sides to move \
by model and shape, and the rest of the files";
        assert_eq!(steps().to_string(), expected);
    }

    #[test]
    fn a_file_may_be_of_both_shapes() {
        let shape = |at: usize| steps().sets[1].1.rows[at].ours.shape();
        assert_eq!((shape(0), shape(1)), ("tree", "both"));
    }
}
