//! Figures in the texts are those of the records and of publications.

use super::texts::{self, root};
use crate::command::{at, command, json, stdout, succeeds};
use crate::skip;
use cubebase::Color;
use cubebase::position::Enumeration;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The values in the column `value` of a file with a header line, by those in the column `key`.
fn column(path: &str, separator: char, key: &str, value: &str) -> BTreeMap<String, f64> {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(separator).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = |name| head.iter().position(|&column| column == name).unwrap();
    let (key, value) = (at(key), at(value));
    lines.filter_map(|line| Some((line[key].to_owned(), line[value].parse().ok()?))).collect()
}

/// The lines of the first block after a heading of a text, as words.
fn block_after(path: &str, heading: &str) -> Vec<Vec<String>> {
    let text = texts::named(path).text;
    let from = text.find(&format!("{heading}\n")).unwrap_or_else(|| panic!("{path}: no {heading}"));
    let block = text[from..].split("```").nth(1).unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    block.lines().skip(1).filter(|line| !line.is_empty()).map(words).collect()
}

#[test]
fn sizes_by_model_are_those_of_the_records() {
    let auto = column("fixtures/sizes.csv", ',', "material", "bytes");
    let syzygy = column("fixtures/syzygy-wdl-bytes.tsv", '\t', "material", "bytes");
    let paper = column("fixtures/paper-table4-5.tsv", '\t', "material", "pcn_zipped_bytes");
    let table = block_after("docs/sizes.md", "## By model");
    assert_eq!(
        table[0].join(" "),
        "material board geometry auto syzygy paper board ratio geometry ratio auto ratio"
    );
    let [mut sums, mut with_syzygy] = [[0.0; 5], [0.0; 5]];
    let number = |word: &String| word.parse::<f64>().unwrap_or(0.0);
    let ratio =
        |ours: f64, theirs: f64| if theirs > 0.0 { format!("{:.3}", ours / theirs) } else { "-".into() };
    for line in &table[1..] {
        let name = &line[0];
        let bytes: Vec<f64> = line[1..6].iter().map(number).collect();
        if name == "total" {
            assert_eq!(bytes, sums, "the totals are the sums");
            assert_eq!(auto.len(), table.len() - 2, "a line a table");
        } else {
            let expected = [auto.get(name), syzygy.get(name), paper.get(name)]
                .map(|bytes| bytes.copied().unwrap_or(0.0));
            assert_eq!(bytes[2..], expected, "{name}: auto, Syzygy, the paper");
            for at in 0..5 {
                sums[at] += bytes[at];
                with_syzygy[at] += if bytes[3] > 0.0 { bytes[at] } else { 0.0 };
            }
        }
        let of = if name == "total" { with_syzygy.to_vec() } else { bytes };
        let ratios: Vec<String> = of[..3].iter().map(|&ours| ratio(ours, of[3])).collect();
        assert_eq!(line[6..], ratios, "{name}: ratios");
    }
}

/// The chapter on models, its picture and the first page have figures of that table.
#[test]
fn the_chapter_on_models_has_the_same_sizes() {
    let table = block_after("docs/sizes.md", "## By model");
    let chapter = texts::named("docs/models.md").text;
    let mut compared = 0;
    for line in chapter.lines().filter(|line| line.starts_with("| K") || line.starts_with("| total")) {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().replace(',', "")).collect();
        let of = table.iter().find(|of| of[0] == cells[0]).unwrap();
        assert_eq!(cells[1..], of[1..5], "{}", cells[0]);
        compared += 1;
    }
    assert!(compared > 5);
    let total = table.last().unwrap();
    let with_commas =
        |number: &String| format!("{},{}", &number[..number.len() - 3], &number[number.len() - 3..]);
    let picture = fs::read_to_string(root().join("docs/sizes-by-model.svg")).unwrap();
    for bytes in &total[1..6] {
        let bytes = if bytes.len() > 6 {
            format!("{},{}", &bytes[..1], with_commas(&bytes[1..].to_owned()))
        } else {
            with_commas(bytes)
        };
        assert!(picture.contains(&format!(">{bytes}<")), "the picture lacks {bytes}");
    }
    for page in ["docs/README.md", "docs/paper.md", "docs/models.md"] {
        let bytes = with_commas(&total[3]);
        assert!(texts::named(page).text.contains(&bytes), "{page} lacks {bytes}");
    }
}

/// The page on castling rights has the bytes of every table with some, and their sum; other pages have the sum.
#[test]
fn castling_rights_take_as_many_bytes_as_recorded() {
    let [bytes, castling] = ["bytes", "castling"].map(|of| column("fixtures/sizes.csv", ',', "material", of));
    let mut listed = 0.0;
    for line in texts::named("docs/castling.md").text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(rights) = castling.get(cells[0]).copied() else { continue };
        assert_eq!(cells[1..3], [bytes[cells[0]].to_string(), rights.to_string()], "{line}");
        listed += rights;
    }
    let sum: f64 = castling.values().sum();
    assert!(sum > 0.0 && listed.to_string() == sum.to_string(), "{listed} listed of {sum}");
    for (page, said) in [
        ("docs/castling.md", format!("| {sum} |")),
        ("docs/sizes.md", format!("{sum} for all tables")),
        ("README.md", format!("{sum} bytes more")),
    ] {
        assert!(texts::named(page).text.contains(&said), "{page} lacks: {said}");
    }
}

/// Every text with the size of the embedded tables in kB has the right one.
#[test]
fn kilobytes_are_those_of_the_bundle() {
    let bundle = fs::metadata(root().join("fixtures/four-men.pcb")).unwrap().len() as f64;
    let expected = format!("{:.0} kB", bundle / 1000.0);
    let mut compared = 0;
    for text in texts::all().into_iter().chain([texts::named("Cargo.toml")]) {
        for after in text.text.split("four men, ").skip(1) {
            let size: Vec<&str> = after.split([' ', ',', '\n']).take(2).collect();
            if size.get(1) == Some(&"kB") {
                assert_eq!(size.join(" "), expected, "{}", text.path);
                compared += 1;
            }
        }
    }
    assert!(compared > 1);
}

/// The tables of the columns `geometry` and `board` are built. Those of `auto` are compared with fixtures/sizes.csv.
#[test]
#[ignore = "half an hour: .ci/slow docs runs it"]
fn sizes_by_model_are_those_that_are_built() {
    let table = block_after("docs/sizes.md", "## By model");
    for (column, model) in [(2, "geometry"), (1, "board")] {
        assert_eq!(table[0][column], model);
        let directory = tempfile::tempdir().unwrap();
        let built =
            json(format!("build 4 --model {model} --memory 8G --out '{}'", directory.path().display()));
        let built: BTreeMap<&str, String> = built["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| (table["material"].as_str().unwrap(), table["bytes"].to_string()))
            .collect();
        let tables = table[1..].iter().filter(|line| line[0] != "total");
        assert_eq!(built, tables.map(|line| (line[0].as_str(), line[column].clone())).collect(), "{model}");
    }
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
    let syzygy = column("fixtures/syzygy-wdl-bytes.tsv", '\t', "material", "bytes");
    let text = texts::named("docs/six-men.md").text;
    let number = |word: &str| word.trim().replace(',', "").parse::<f64>().unwrap();
    for pawns in ["0", "1", "2", "3", "4", "all"] {
        let line = text.lines().find(|line| line.starts_with(&format!("| {pawns} |"))).unwrap();
        let written: Vec<&str> = line.trim_matches('|').split('|').collect();
        let counted: Vec<&&Value> = tables
            .iter()
            .filter(|table| pawns == "all" || table["pawns"].as_u64() == pawns.parse().ok())
            .collect();
        let values = |of: &str, stage: &str| -> Vec<f64> {
            let value = |table: &&&Value| {
                if stage.is_empty() { table[of].as_f64() } else { table[stage][of].as_f64() }
            };
            counted.iter().map(|table| value(table).unwrap()).collect()
        };
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let names = counted.iter().map(|table| table["material"].as_str().unwrap());
        let expected = [
            counted.len() as f64,
            values("slots", "").iter().sum::<f64>() / 1e9,
            values("cpu_seconds", "generate").iter().sum::<f64>() / 3600.0,
            values("cpu_seconds", "minimize").iter().sum::<f64>() / 3600.0,
            most(values("peak_bytes", "generate")) / 1e9,
            most(values("least_bytes", "minimize")) / 1e9,
            values("wdl_bytes", "generate").iter().sum::<f64>() / 1e9,
            names.map(|name| syzygy[name]).sum::<f64>() / 1e9,
        ];
        for (at, (word, value)) in written[1..].iter().zip(expected).enumerate() {
            let decimals = word.trim().split_once('.').map_or(0, |(_, after)| after.len());
            let unit = 1.0 / 10f64.powi(i32::try_from(decimals).unwrap());
            assert!(
                (number(word) - value).abs() <= 0.501 * unit,
                "{pawns}, column {}: {word} for {value}",
                at + 1
            );
        }
    }
    let refused = tables.iter().filter(|table| !table["refused"].is_null()).count();
    assert!(text.contains(&format!("{refused} of the 365 tables are refused")), "{refused}");
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
    let output = command(format!("explain --no-count --format json --tables {table} -"))
        .write_stdin(fens)
        .output()
        .unwrap();
    let mut counts = BTreeMap::<(u64, String), usize>::new();
    for line in stdout(&output).lines() {
        let decided: Value = serde_json::from_str(line).unwrap();
        let outcome = decided["outcome"].as_str().unwrap().to_owned();
        *counts.entry((decided["number"].as_u64().unwrap(), outcome)).or_default() += 1;
    }
    let chapter = texts::named("docs/endgame-tables.md").text;
    let rows = chapter.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, leaf, positions, outcome] = cells[..] else { return None };
        Some(((leaf.parse().ok()?, outcome.to_owned()), positions.replace(',', "").parse().unwrap()))
    });
    assert_eq!(counts, rows.collect());
}
