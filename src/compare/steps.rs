//! Several sets of files side by side, so that what each step of knowledge is worth is seen: a column for each set, and
//! what each set keeps by model and shape.

use super::{Report, Row, Shape, figure, ratio, write_aligned};
use crate::model::Model;
use crate::position::Material;
use std::collections::BTreeMap;
use std::fmt;

/// Syzygy's smallest files say little but that they are there: below this, no ratio is the worst.
const SMALL_BYTES: u64 = 128;

/// What a file is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its input model.
    pub model: Model,
    /// Its shape.
    pub shape: Shape,
}

/// The files of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindTotal {
    /// How many they are.
    pub tables: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Report {
    /// The files by what they are made of, in the order of models and shapes.
    pub fn kinds(&self) -> Vec<(Kind, KindTotal)> {
        let place = |model: Model| Model::ALL.iter().position(|&other| other == model);
        let mut kinds: BTreeMap<_, (Kind, KindTotal)> = BTreeMap::new();
        for Row { ours, .. } in &self.rows {
            let kind = Kind { model: ours.model, shape: ours.shape };
            let (_, total) =
                kinds.entry((place(ours.model), ours.shape)).or_insert_with(|| (kind, KindTotal::default()));
            total.tables += 1;
            total.bytes += ours.bytes;
        }
        kinds.into_values().collect()
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

    /// The sets with their names.
    pub fn sets(&self) -> &[(String, Report)] {
        &self.sets
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
            |at| self.sets[at].1.bytes.to_string(),
            sums.map(|sum| sum.to_string()),
            |at| ratio(self.sets[at].1.syzygy.ratio()),
        ));
        lines.push(self.summary("tables", |report| report.rows.len().to_string()));
        lines.push(self.summary("of the paper", |report| ratio(report.paper.ratio())));
        lines.push(self.summary("worst", |report| ratio(report.worst().and_then(Row::syzygy_ratio))));
        let worst = |row: Option<&Row>| row.map_or_else(|| "-".into(), |row| row.ours.material.to_string());
        lines.push(self.summary("worst table", |report| worst(report.worst())));
        for model in Model::ALL {
            for shape in [Shape::List, Shape::Tree, Shape::Both] {
                let kind = Kind { model, shape };
                let bytes = |report: &Report| {
                    report.kinds().into_iter().find(|(found, _)| *found == kind).map(|(_, total)| total.bytes)
                };
                if self.sets.iter().any(|(_, report)| bytes(report).is_some()) {
                    let name = format!("{model}, {}", shape.name());
                    lines.push(self.summary(&name, |report| figure(bytes(report))));
                }
            }
        }
        write_aligned(f, &lines)?;
        write!(
            f,
            "bytes; ratios are to Syzygy's files; the worst leaves those under {SMALL_BYTES} bytes aside; below it \
             the bytes by model and shape"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::Measured;
    use super::*;

    fn report(rows: &[(&str, u64, Model, Shape)]) -> Report {
        let measured = |&(signature, bytes, model, shape): &(&str, u64, Model, Shape)| Measured {
            material: signature.parse().unwrap(),
            bytes,
            clauses: 1,
            model,
            shape,
        };
        Report::new(rows.iter().map(measured), None).unwrap()
    }

    fn steps() -> Steps {
        let board = [
            ("KvK", 20, Model::Board, Shape::Tree),
            ("KBvK", 79, Model::Board, Shape::Tree),
            ("KQvK", 136, Model::Board, Shape::List),
            ("KRvK", 52, Model::Board, Shape::Tree),
        ];
        let auto = [("KQvK", 68, Model::Attack, Shape::Tree), ("KRvK", 26, Model::Board, Shape::Both)];
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
total           287     94     560   1512        0.477       0.196
tables            4      2
of the paper  0.190  0.068
worst         0.500  0.250
worst table    KQvK   KQvK
board, list     136      -
board, tree     151      -
board, both       -     26
attack, tree      -     68
bytes; ratios are to Syzygy's files; the worst leaves those under 128 bytes aside; below it the bytes by model and shape";
        assert_eq!(steps().to_string(), expected);
    }

    #[test]
    fn the_worst_is_of_no_tiny_file() {
        let worst = steps().sets[0].1.worst().map(|row| row.ours.material.to_string());
        assert_eq!(worst.as_deref(), Some("KQvK"));
        assert!(report(&[("KBvK", 79, Model::Board, Shape::Tree)]).worst().is_none());
    }

    #[test]
    fn bytes_are_by_model_and_shape() {
        let kinds = steps().sets[0].1.kinds();
        let list = (Kind { model: Model::Board, shape: Shape::List }, KindTotal { tables: 1, bytes: 136 });
        let tree = (Kind { model: Model::Board, shape: Shape::Tree }, KindTotal { tables: 3, bytes: 151 });
        assert_eq!(kinds, [list, tree]);
    }
}
