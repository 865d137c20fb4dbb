//! Figures in the texts are those of the records and of publications.

use super::{named, root, texts};
use crate::command::{at, command, json, stdout, succeeds};
use crate::skip;
use cubebase::Color;
use cubebase::position::Enumeration;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The values in the column `value` of a file with a header line, by material.
fn column(path: &str, value: &str) -> BTreeMap<String, f64> {
    let text = named(path).text;
    let cells = |line: &str| line.split([',', '\t']).map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(cells);
    let head = lines.next().unwrap();
    let at = |name| head.iter().position(|column| column == name).unwrap();
    lines.filter_map(|line| Some((line[at("material")].clone(), line[at(value)].parse().ok()?))).collect()
}

/// The table of docs/sizes.md by material and model, as words.
fn by_model() -> Vec<Vec<String>> {
    let text = named("docs/sizes.md").text;
    let block = text.split_once("## By model\n").unwrap().1.split("```").nth(1).unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    block.trim().lines().map(words).collect()
}

#[test]
fn sizes_by_model_are_those_of_the_records() {
    let auto = column("fixtures/sizes.csv", "bytes");
    let syzygy = column("fixtures/syzygy-wdl-bytes.tsv", "bytes");
    let paper = column("fixtures/paper-table4-5.tsv", "pcn_zipped_bytes");
    let table = by_model();
    let head = "material board geometry auto syzygy paper board ratio geometry ratio auto ratio";
    assert_eq!((table[0].join(" ").as_str(), table.len()), (head, auto.len() + 2), "a line for each table");
    let [mut sums, mut with_syzygy] = [[0.0; 5], [0.0; 5]];
    for line in &table[1..] {
        let name = &line[0];
        let bytes: Vec<f64> = line[1..6].iter().map(|word| word.parse().unwrap_or(0.0)).collect();
        if name == "total" {
            assert_eq!(bytes, sums);
        } else {
            let expected = [&auto, &syzygy, &paper].map(|of| of.get(name).copied().unwrap_or(0.0));
            assert_eq!(bytes[2..], expected, "{name}: auto, Syzygy, the paper");
            for at in 0..5 {
                sums[at] += bytes[at];
                with_syzygy[at] += if bytes[3] > 0.0 { bytes[at] } else { 0.0 };
            }
        }
        let of = if name == "total" { &with_syzygy[..] } else { &bytes };
        let ratio = |ours: &f64| if of[3] > 0.0 { format!("{:.3}", ours / of[3]) } else { "-".into() };
        assert_eq!(line[6..], of[..3].iter().map(ratio).collect::<Vec<_>>(), "{name}: ratios");
    }
}

/// The chapter on models, its picture and the first pages have figures of that table.
#[test]
fn the_chapter_on_models_has_the_same_sizes() {
    let table = by_model();
    let rows = named("docs/models.md").rows();
    let compared = rows.iter().filter_map(|row| Some((row, table.iter().find(|of| of[0] == row[0])?)));
    assert!(compared.clone().count() > 5);
    compared.for_each(|(row, of)| assert_eq!(row[1..], of[1..5], "{}", row[0]));
    let picture = named("docs/sizes-by-model.svg").text.replace(',', "");
    let total = table.last().unwrap();
    total[1..6].iter().for_each(|bytes| assert!(picture.contains(&format!(">{bytes}<")), "{bytes}"));
    for page in ["docs/README.md", "docs/paper.md", "docs/models.md"] {
        assert!(named(page).text.replace(',', "").contains(&total[3]), "{page} lacks {}", total[3]);
    }
}

/// The page on castling rights has the bytes of every table with some, and their sum; other pages have the sum.
#[test]
fn castling_rights_take_as_many_bytes_as_recorded() {
    let [bytes, castling] = ["bytes", "castling"].map(|of| column("fixtures/sizes.csv", of));
    let mut listed = 0.0;
    for cells in named("docs/castling.md").rows() {
        let Some(rights) = castling.get(&cells[0]) else { continue };
        assert_eq!(cells[1..3], [bytes[&cells[0]], *rights].map(|bytes| bytes.to_string()), "{cells:?}");
        listed += rights;
    }
    let sum = castling.values().sum::<f64>().to_string();
    assert!(sum != "0" && listed.to_string() == sum, "{listed} listed of {sum}");
    for (page, said) in [
        ("docs/castling.md", format!("| {sum} |")),
        ("docs/sizes.md", format!("{sum} for all tables")),
        ("README.md", format!("{sum} bytes more")),
    ] {
        assert!(named(page).text.contains(&said), "{page} lacks: {said}");
    }
}

/// Every text with the size of the embedded tables in kB has the right one.
#[test]
fn kilobytes_are_those_of_the_bundle() {
    let bundle = fs::metadata(root().join("fixtures/four-men.pcb")).unwrap().len() as f64;
    let size = regex::Regex::new(r"four men, (\d+) kB").unwrap();
    let mut compared = 0;
    for text in texts().into_iter().chain([named("Cargo.toml")]) {
        for found in size.captures_iter(&text.text) {
            assert_eq!(found[1], format!("{:.0}", bundle / 1000.0), "{}", text.path);
            compared += 1;
        }
    }
    assert!(compared > 1);
}

/// The tables of the columns `geometry` and `board` are built. Those of `auto` are compared with fixtures/sizes.csv.
#[test]
#[ignore = "half an hour: .ci/slow docs runs it"]
fn sizes_by_model_are_those_that_are_built() {
    let table = by_model();
    for (column, model) in [(2, "geometry"), (1, "board")] {
        assert_eq!(table[0][column], model);
        let directory = tempfile::tempdir().unwrap();
        let built = json(format!("build 4 --model {model} --memory 8G --out {}", at(&directory, "tables")));
        let built = built["tables"].as_array().unwrap().iter();
        let built =
            built.map(|table| (table["material"].as_str().unwrap().into(), table["bytes"].to_string()));
        let tables = table[1..].iter().filter(|line| line[0] != "total");
        let expected = tables.map(|line| (line[0].clone(), line[column].clone()));
        assert_eq!(built.collect::<BTreeMap<_, _>>(), expected.collect(), "{model}");
    }
}

/// The first page has the bytes of all tables of five men.
#[test]
fn bytes_of_five_men_are_those_of_the_record() {
    let [ours, theirs] =
        ["bytes", "syzygy_bytes"].map(|of| column("docs/five-men.csv", of).values().sum::<f64>());
    let said = format!("{ours} bytes {:.3} of Syzygy's", ours / theirs);
    assert!(named("README.md").text.replace(',', "").contains(&said), "README.md lacks: {said}");
}

#[test]
fn chinese_chess_is_that_of_the_record() {
    let check = Command::new("python3").args(["tools/paper/wu-beal", "--check"]).current_dir(root()).status();
    let Ok(check) = check else { return skip::outside_ci_for_want_of("python3") };
    assert!(check.success(), "docs/xiangqi.md is stale: run tools/paper/wu-beal");
}

#[test]
fn six_men_are_those_of_the_plan() {
    let plan = json("plan 6 --effort 1 --memory 64G");
    let tables: Vec<&Value> =
        plan["tables"].as_array().unwrap().iter().filter(|table| table["men"] == 6).collect();
    let syzygy = column("fixtures/syzygy-wdl-bytes.tsv", "bytes");
    let text = named("docs/six-men.md");
    for pawns in ["0", "1", "2", "3", "4", "all"] {
        let row = text.rows().into_iter().find(|row| row[0] == pawns).unwrap();
        let is_counted = |table: &&&Value| pawns == "all" || table["pawns"].as_u64() == pawns.parse().ok();
        let counted: Vec<&Value> = tables.iter().filter(is_counted).copied().collect();
        let values = |of: &str| {
            counted.iter().map(|table| table.pointer(of).unwrap().as_f64().unwrap()).collect::<Vec<_>>()
        };
        let sum = |of: &str| values(of).iter().sum::<f64>();
        let most = |of: &str| values(of).into_iter().fold(0.0, f64::max);
        let theirs: f64 = counted.iter().map(|table| syzygy[table["material"].as_str().unwrap()]).sum();
        let expected = [
            counted.len() as f64,
            sum("/slots") / 1e9,
            sum("/generate/cpu_seconds") / 3600.0,
            sum("/minimize/cpu_seconds") / 3600.0,
            most("/generate/peak_bytes") / 1e9,
            most("/minimize/least_bytes") / 1e9,
            sum("/generate/wdl_bytes") / 1e9,
            theirs / 1e9,
        ];
        for (word, value) in row[1..].iter().zip(expected) {
            let unit =
                word.split_once('.').map_or(1.0, |(_, after)| 0.1_f64.powi(after.len().try_into().unwrap()));
            let is_near = (word.parse::<f64>().unwrap() - value).abs() <= 0.501 * unit;
            assert!(is_near, "{pawns}: {word} for {value}");
        }
    }
    let refused = tables.iter().filter(|table| !table["refused"].is_null()).count();
    assert!(text.text.contains(&format!("{refused} of the 365 tables are refused")), "{refused}");
}

/// The leaves in the chapter for logic designers: how many positions reach each, and their outcome.
#[test]
fn leaves_are_those_of_the_tree() {
    let directory = tempfile::tempdir().unwrap();
    let table = at(&directory, "KRvK.pcn");
    succeeds(format!("minimize KRvK --model geometry -o {table}"));
    let positions = Enumeration::new(&"KRvK".parse().unwrap(), Color::Black, 1);
    let mut fens = String::new();
    for slice in 0..positions.slices() {
        positions.visit(slice, &mut |position| fens += &(position.to_fen() + "\n"));
    }
    let mut explain = command(format!("explain --no-count --format json --tables {table} -"));
    let output = explain.write_stdin(fens).output().unwrap();
    let mut counts = BTreeMap::<(String, String), usize>::new();
    for line in stdout(&output).lines() {
        let decided: Value = serde_json::from_str(line).unwrap();
        let outcome = decided["outcome"].as_str().unwrap().to_owned();
        *counts.entry((decided["number"].to_string(), outcome)).or_default() += 1;
    }
    let rows = named("docs/endgame-tables.md").rows().into_iter().filter_map(|row| {
        let [_, _, leaf, positions, outcome] = &row[..] else { return None };
        Some(((leaf.clone(), outcome.clone()), positions.parse().ok()?))
    });
    assert_eq!(counts, rows.collect());
}
