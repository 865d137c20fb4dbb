//! Comparisons of sizes as aligned text. One set of files is compared with Syzygy's and the paper's sizes. Several sets have
//! a column each, and sums by model and shape show how much a richer model saves.

use super::aligned::{aligned, grouped};
use crate::chess::model::Model;
use crate::chess::position::Material;
use crate::compare::{Report, Row, SMALL_BYTES, kinds, syzygy_dtz_bytes};
use std::collections::BTreeMap;

/// A figure, or a dash where there is none.
fn figure(value: Option<u64>) -> String {
    value.map_or_else(|| "-".into(), grouped)
}

/// A ratio with three decimals, or a dash where there is none.
fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.3}"))
}

const HEAD: [&str; 8] =
    ["material", "clauses", "bytes", "syzygy", "ratio", "paper clauses", "paper bytes", "ratio"];

/// The cells of one table's line.
fn cells(row: &Row) -> [String; 8] {
    [
        row.ours.material.to_string(),
        grouped(row.ours.clauses),
        grouped(row.ours.bytes),
        figure(row.syzygy_bytes),
        ratio(row.syzygy_ratio()),
        figure(row.paper.and_then(|paper| paper.clauses).map(u64::from)),
        figure(row.paper.and_then(|paper| paper.zipped_bytes).map(u64::from)),
        ratio(row.paper_ratio()),
    ]
}

/// One set of tables beside Syzygy's and the paper's, with totals.
pub(super) fn report_text(report: &Report) -> String {
    let mut lines = vec![HEAD.map(String::from)];
    lines.extend(report.rows.iter().map(cells));
    lines.push([
        "total".into(),
        grouped(report.clauses),
        grouped(report.bytes),
        figure(Some(report.syzygy.theirs_bytes)),
        ratio(report.syzygy.ratio()),
        "-".into(),
        figure(Some(report.paper.theirs_bytes)),
        ratio(report.paper.ratio()),
    ]);
    format!(
        "{}ratios are ours / theirs over the tables that both have: {} of Syzygy, {} of the paper",
        aligned(lines),
        report.syzygy.tables,
        report.paper.tables
    )
}

/// Every material of any set, fewer men first, then by signature, with its row in each set.
pub(super) fn rows<R: Clone>(
    sets: impl ExactSizeIterator<Item = impl Iterator<Item = (Material, R)>>,
) -> Vec<(Material, Vec<Option<R>>)> {
    let (mut rows, all) = (BTreeMap::new(), sets.len());
    for (at, set) in sets.enumerate() {
        for (material, row) in set {
            let found = rows.entry((material.len(), material.to_string()));
            found.or_insert_with(|| (material, vec![None; all])).1[at] = Some(row);
        }
    }
    rows.into_values().collect()
}

/// Sets of files by name.
struct Sets<'a>(&'a [(String, Report)]);

impl Sets<'_> {
    /// A line: its name, a cell for each set, Syzygy's and the paper's bytes, and another cell for each set.
    fn line(
        &self,
        name: impl Into<String>,
        cell: impl Fn(usize) -> String,
        theirs: [String; 2],
        last: impl Fn(usize) -> String,
    ) -> Vec<String> {
        let sets = 0..self.0.len();
        let mut line = vec![name.into()];
        line.extend(sets.clone().map(cell));
        line.extend(theirs);
        line.extend(sets.map(last));
        line
    }

    /// A line of one figure for each set.
    fn summary(&self, name: &str, cell: impl Fn(&Report) -> String) -> Vec<String> {
        let none = [const { String::new() }; 2];
        self.line(name, |at| cell(&self.0[at].1), none, |_| String::new())
    }
}

/// Several sets of tables side by side, in the caller's order.
pub(super) fn sets_text(sets: &[(String, Report)]) -> String {
    let table = Sets(sets);
    let name = |at: usize| sets[at].0.clone();
    let theirs = ["syzygy", "paper"].map(String::from);
    let mut lines = vec![table.line("material", name, theirs, |at| format!("{} ratio", name(at)))];
    let mut sums = [0; 2];
    for (material, rows) in
        rows(sets.iter().map(|(_, report)| report.rows.iter().map(|row| (row.ours.material, row))))
    {
        // Syzygy's and the paper's sizes do not depend on the set.
        let any = rows.iter().flatten().next();
        let syzygy = any.and_then(|row| row.syzygy_bytes);
        let paper = any.and_then(|row| row.paper?.zipped_bytes).map(u64::from);
        sums[0] += syzygy.unwrap_or(0);
        sums[1] += paper.unwrap_or(0);
        lines.push(table.line(
            material.to_string(),
            |at| figure(rows[at].map(|row| row.ours.bytes)),
            [syzygy, paper].map(figure),
            |at| ratio(rows[at].and_then(Row::syzygy_ratio)),
        ));
    }
    lines.push(table.line(
        "total",
        |at| grouped(sets[at].1.bytes),
        sums.map(grouped),
        |at| ratio(sets[at].1.syzygy.ratio()),
    ));
    lines.push(table.summary("tables", |report| report.rows.len().to_string()));
    lines.push(table.summary("of the paper", |report| ratio(report.paper.ratio())));
    lines.push(table.summary("worst", |report| ratio(report.worst().and_then(Row::syzygy_ratio))));
    let worst = |row: Option<&Row>| row.map_or_else(|| "-".into(), |row| row.ours.material.to_string());
    lines.push(table.summary("worst table", |report| worst(report.worst())));
    for (model, shape) in kinds(Model::ALL) {
        let bytes = |report: &Report| {
            let mut kinds = report.kinds().into_iter();
            kinds.find(|kind| (kind.0, kind.1) == (model, shape)).map(|(.., sides)| sides.bytes)
        };
        if sets.iter().any(|(_, report)| bytes(report).is_some()) {
            lines.push(table.summary(&format!("{model}, {shape}"), |report| figure(bytes(report))));
        }
    }
    lines.push(table.summary("headers", |report| grouped(report.headers())));
    format!(
        "{}bytes; ratios are to Syzygy's files, the worst without those under {SMALL_BYTES} bytes; the last lines divide \
         the bytes by model and shape of the sides to move, and headers",
        aligned(lines)
    )
}

/// The name of a set of files, and the bytes of its distances by material.
pub(super) type Distances = (String, Vec<(Material, u64)>);

/// The distances of each set beside Syzygy's DTZ files.
pub(super) fn distances_text(sets: &[Distances]) -> String {
    let name = |at: usize, only: &str| match sets {
        [_] => only.to_owned(),
        sets => format!("{}{}", sets[at].0, only.strip_prefix("bytes").unwrap_or(" ratio")),
    };
    let line =
        |name: String, ours: &dyn Fn(usize) -> String, theirs: String, last: &dyn Fn(usize) -> String| {
            let sets = 0..sets.len();
            [name]
                .into_iter()
                .chain(sets.clone().map(ours))
                .chain([theirs])
                .chain(sets.map(last))
                .collect::<Vec<_>>()
        };
    let head = |only: &'static str| move |at: usize| name(at, only);
    let mut lines = vec![line("distances".into(), &head("bytes"), "Syzygy DTZ".into(), &head("ratio"))];
    let mut all = 0;
    // Of the tables that both have.
    let (mut ours, mut theirs) = (vec![0; sets.len()], vec![0; sets.len()]);
    for (material, found) in rows(sets.iter().map(|(_, files)| files.iter().copied())) {
        let syzygy = syzygy_dtz_bytes(&material);
        all += syzygy.unwrap_or(0);
        for (at, (bytes, syzygy)) in
            found.iter().enumerate().filter_map(|(at, bytes)| Some((at, (bytes.as_ref()?, syzygy?))))
        {
            ours[at] += bytes;
            theirs[at] += syzygy;
        }
        let of = |at: usize| Some(found[at]? as f64 / syzygy? as f64);
        lines.push(line(material.to_string(), &|at| figure(found[at]), figure(syzygy), &|at| ratio(of(at))));
    }
    let of = |at: usize| (theirs[at] > 0).then(|| ours[at] as f64 / theirs[at] as f64);
    lines.push(line(
        "total".into(),
        &|at| grouped(sets[at].1.iter().map(|(_, bytes)| bytes).sum()),
        figure(Some(all).filter(|&all| all > 0)),
        &|at| ratio(of(at)),
    ));
    aligned(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Measured, Sides};

    /// A file: material, model, shape, and the bytes of its clauses. Headers take 20 bytes more.
    type File = (&'static str, Model, &'static str, u64);

    fn report(files: &[File]) -> Report {
        let measured = |&(signature, model, shape, bytes): &File| Measured {
            material: signature.parse().unwrap(),
            bytes: 20 + bytes,
            castling: 0,
            clauses: 1,
            literals: 0,
            model,
            shape,
            sides: Sides { count: 1, bytes },
        };
        Report::new(files.iter().map(measured), &[]).unwrap()
    }

    fn sets() -> [(String, Report); 2] {
        let board = [
            ("KvK", Model::Board, "tree", 0),
            ("KBvK", Model::Board, "tree", 59),
            ("KQvK", Model::Board, "covers", 116),
            ("KRvK", Model::Board, "tree", 32),
        ];
        let auto = [("KQvK", Model::Attack, "tree", 48), ("KRvK", Model::Board, "tree", 6)];
        [("board".into(), report(&board)), ("auto".into(), report(&auto))]
    }

    #[test]
    fn one_set_stands_beside_its_rivals() {
        let files = [("KvK", Model::Binary, "covers", 20), ("KQvK", Model::Binary, "covers", 116)];
        let expected = "\
material  clauses  bytes  syzygy  ratio  paper clauses  paper bytes  ratio
KvK             1     40       -      -              1           64  0.625
KQvK            1    136     272  0.500            204          748  0.182
total           2    176     272  0.500              -          812  0.217
ratios are ours / theirs over the tables that both have: 1 of Syzygy, 2 of the paper";
        assert_eq!(report_text(&report(&files)), expected);
    }

    #[test]
    fn distances_stand_beside_each_other_and_syzygys() {
        let files = |bytes: [u64; 3]| -> Vec<(Material, u64)> {
            ["KvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap()).into_iter().zip(bytes).collect()
        };
        let one = ("one".to_owned(), files([20, 1_000, 3_000]));
        let expected = "\
distances  bytes  Syzygy DTZ  ratio
KvK           20           -      -
KQvK       1,000       5,392  0.185
KRvK       3,000       7,632  0.393
total      4,020      13,024  0.307
";
        assert_eq!(distances_text(std::slice::from_ref(&one)), expected);
        let two = ("two".to_owned(), files([20, 2_000, 0])[..2].to_vec());
        let expected = "\
distances    one    two  Syzygy DTZ  one ratio  two ratio
KvK           20     20           -          -          -
KQvK       1,000  2,000       5,392      0.185      0.371
KRvK       3,000      -       7,632      0.393          -
total      4,020  2,020      13,024      0.307      0.371
";
        assert_eq!(distances_text(&[one, two]), expected);
    }

    #[test]
    fn sets_stand_side_by_side() {
        let expected = "\
material       board   auto  syzygy  paper  board ratio  auto ratio
KvK               20      -       -     64            -           -
KBvK              79      -      80     64        0.988           -
KQvK             136     68     272    748        0.500       0.250
KRvK              52     26     208    636        0.250       0.125
total            287     94     560  1,512        0.477       0.196
tables             4      2
of the paper   0.190  0.068
worst          0.500  0.250
worst table     KQvK   KQvK
board, covers    116      -
board, tree       91      6
attack, tree       -     48
headers           80     40
bytes; ratios are to Syzygy's files, the worst without those under 128 bytes; the last lines divide the bytes by model \
and shape of the sides to move, and headers";
        assert_eq!(sets_text(&sets()), expected);
    }
}
