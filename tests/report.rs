//! The page of `compare --html`: it needs no other file, its figures are right, and wrong arguments make none.

use crate::command::{at, built, fails, json, quoted, succeeds};

const BUNDLE: &str = "fixtures/four-men.pcb";
const RECORD: &str = "tools/bench/records/2026-11-22-epyc-probe-3.csv";

fn page(arguments: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let said = succeeds(format!("compare {arguments} --html {}", at(&dir, "report.html")));
    let page = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(said.contains("report.html: ") && said.lines().count() == 1, "{said}");
    page
}

fn cells(row: &str) -> Vec<&str> {
    row.split("<td").skip(1).filter_map(|cell| Some(cell.split_once('>')?.1.split_once('<')?.0)).collect()
}

#[test]
fn the_page_is_whole_and_its_figures_are_those_of_compare() {
    let page = page(&format!("{BUNDLE} --record {RECORD}"));
    for outside in ["http://", "https://", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.ends_with("</html>"));
    let report = json(format!("compare {BUNDLE}"));
    let rows: Vec<Vec<&str>> = page.split("<tr>").map(cells).collect();
    for table in report["tables"].as_array().unwrap() {
        let name = table["material"].as_str().unwrap();
        let row = rows.iter().find(|row| row.first() == Some(&name)).unwrap();
        // A figure as a cell has it: with commas, with three decimals, or none.
        let whole = |name: &str| table[name].as_u64().map_or_else(|| "-".into(), |number| number.to_string());
        let ratio =
            |name: &str| table[name].as_f64().map_or_else(|| "-".into(), |ratio| format!("{ratio:.3}"));
        let shown: Vec<String> = row[3..9].iter().map(|cell| cell.replace(',', "")).collect();
        let expected = ["bytes", "syzygy_bytes", "paper_zipped_bytes", "clauses"].map(whole);
        let [bytes, syzygy, paper, clauses] = expected;
        assert_eq!(
            shown,
            [bytes, syzygy, ratio("syzygy_ratio"), paper, ratio("paper_ratio"), clauses],
            "{row:?}"
        );
        let parts = row[10..].iter().take(4).map(|cell| cell.replace(',', "").parse::<u64>().unwrap());
        assert_eq!(parts.sum::<u64>(), table["bytes"].as_u64().unwrap(), "{row:?}");
    }
    let queen = rows.iter().find(|row| row.first() == Some(&"KQvK")).unwrap();
    assert!(queen.ends_with(&["111", "432"]), "of the record: {queen:?}");
    assert!(page.contains("cpu: AMD EPYC, threads: 2"));
    // The page does not name the machine that writes it: tables and times may be from another.
    assert!(page.contains(concat!("Made by cubebase ", env!("CARGO_PKG_VERSION"), ".</p>")));
    let total = rows.iter().find(|row| row.first() == Some(&"total")).unwrap();
    let ratio = |name: &str| format!("{:.3}", report[name].as_f64().unwrap());
    let expected = [report["bytes"].to_string(), ratio("syzygy_ratio"), ratio("paper_ratio")];
    assert_eq!([3, 5, 7].map(|cell| total[cell].replace(',', "")), expected, "{total:?}");
    // The cards have the same ratios in per cent.
    for (what, name) in [("Of Syzygy's bytes", "syzygy_ratio"), ("Of the paper's bytes", "paper_ratio")] {
        let (_, card) = page.split_once(&format!("<dt>{what}</dt><dd>")).unwrap();
        let shown: f64 = card.split(' ').next().unwrap().parse().unwrap();
        assert!((shown - 100.0 * report[name].as_f64().unwrap()).abs() < 0.06, "{what}: {shown}");
    }
}

/// The bars of a table under a heading: the width of each in per cent, and its text.
fn bars(page: &str, heading: &str, table: &str) -> Vec<(f64, String)> {
    let (_, section) = page.split_once(&format!("<h2>{heading}</h2>")).unwrap();
    let section = section.split("<h2>").next().unwrap();
    let (_, row) = section.split_once(&format!("<span class=\"label\">{table}</span>")).unwrap();
    let row = row.split("</svg>").next().unwrap();
    let bars = row.split("<rect ").skip(1).map(|bar| {
        let (_, width) = bar.split_once(" width=\"").unwrap();
        let (_, title) = bar.split_once("<title>").unwrap();
        (width.split('%').next().unwrap().parse().unwrap(), title.split('<').next().unwrap().to_owned())
    });
    bars.collect()
}

#[test]
fn bars_are_as_long_as_their_values() {
    let page = page(&format!("{BUNDLE} --record {RECORD}"));
    let names = |bars: &[(f64, String)]| bars.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
    let sizes = bars(&page, "Bytes of whole files", "KQvK");
    assert_eq!(names(&sizes), ["KQvK, four-men: 30", "KQvK, Syzygy: 272", "KQvK, the paper: 748"]);
    assert!(sizes.is_sorted_by(|one, other| one.0 < other.0), "{sizes:?}");
    // The largest of all is as wide as there is room.
    assert_eq!(bars(&page, "Bytes of whole files", "KPvKP")[1], (100.0, "KPvKP, Syzygy: 245,328".into()));
    let times = bars(&page, "Nanoseconds a probe", "KQvK");
    assert_eq!(names(&times), ["KQvK, ours: 111 ns", "KQvK, Fathom: 432 ns"]);
    assert!((times[1].0 / times[0].0 - 432.0 / 111.0).abs() < 0.01, "{times:?}");
    // Summed over the numbers of men, the bytes of each kind are those of all tables.
    let parts = |label: &str| {
        let parts = bars(&page, "What the bytes code", label);
        assert!((parts.iter().map(|(width, _)| width).sum::<f64>() - 100.0).abs() < 0.05, "{parts:?}");
        let bytes = |name: &str| {
            let part = parts.iter().find_map(|(_, part)| part.strip_prefix(name)?.strip_suffix(" bytes"));
            part.map_or(0, |bytes| bytes.replace(',', "").parse::<u64>().unwrap())
        };
        ["headers: ", "tests: ", "leaves: ", "exceptions: "].map(bytes)
    };
    let by_men = ["2 men", "3 men", "4 men"].map(parts);
    let sums = [0, 1, 2, 3].map(|part| by_men.iter().map(|parts| parts[part]).sum::<u64>());
    assert_eq!(sums, parts("all"));
    assert_eq!(sums.iter().sum::<u64>(), 113_933);
}

#[test]
fn distances_have_bars_of_their_own() {
    let of_both = page(&format!("{BUNDLE} fixtures/four-men-distances.pcb"));
    let distances = bars(&of_both, "Bytes of distances to zeroing", "KBNvK");
    let names: Vec<&str> = distances.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["KBNvK, four-men-distances: 236,695", "KBNvK, Syzygy: 461,840"]);
    assert_eq!(
        bars(&of_both, "Bytes of whole files", "KQvK"),
        bars(&page(BUNDLE), "Bytes of whole files", "KQvK")
    );
}

#[test]
fn sets_have_bars_and_lines_of_their_own_and_names_are_text() {
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("<b>&");
    std::fs::create_dir(&odd).unwrap();
    crate::command::copied(&odd, &[("KQvK", "KQvK.pcn")]);
    let page = page(&format!("{} {}", quoted(built()), quoted(&odd)));
    assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>&"));
    assert_eq!(page.matches("KQvK, &lt;b&gt;&amp;: ").count(), 1, "one bar");
    let rows = page.split("<tr>").map(cells).filter(|row| row.first() == Some(&"KQvK")).count();
    assert_eq!(rows, 2);
}

#[test]
fn representations_are_points_of_the_page_and_columns_of_the_text() {
    use cubebase::cli::baselines::{Line, to_csv};
    let dir = tempfile::tempdir().unwrap();
    let line = |name: &str, bytes, time| Line {
        material: "KQvK".into(),
        representation: name.into(),
        bytes: Some(bytes),
        probe_ns: Some(time),
        ..Line::default()
    };
    let lines = [line("index", 9_000, 90.0), line("dag", 8_000, 900.0), line("auto", 30, 150.0)];
    let record = dir.path().join("baselines.csv");
    std::fs::write(&record, to_csv(&lines, true).unwrap()).unwrap();
    let record = quoted(&record);
    let page = page(&format!("--baselines {record}"));
    assert_eq!(page.matches("<circle").count(), 3);
    assert!(page.contains("<title>auto: 30 bytes, 150 ns</title>"));
    let said = succeeds(format!("compare --baselines {record}"));
    assert!(said.starts_with("material  index    dag  auto\nKQvK      9,000  8,000    30\n"), "{said}");
    let both = succeeds(format!("compare {BUNDLE} --baselines {record}"));
    assert!(both.ends_with(&format!("\n{said}")), "{both}");
    assert_eq!(json(format!("compare --baselines {record}"))["baselines"][2]["bytes"], 30);
    fails(format!("compare --baselines {RECORD}"), 3, "not a record of this version");
}

#[test]
fn wrong_arguments_are_refused_and_leave_no_page() {
    let dir = tempfile::tempdir().unwrap();
    let html = at(&dir, "report.html");
    fails(format!("compare {BUNDLE} --record {RECORD}"), 2, "--html");
    fails(format!("compare {BUNDLE} --html {html} --format json"), 2, "--format");
    fails(format!("compare {BUNDLE} --html {html} --record {BUNDLE}"), 3, "four-men.pcb");
    fails(format!("compare {BUNDLE} --html {html} --record /no/such"), 3, "/no/such");
    fails(format!("compare {BUNDLE} --html {}", at(&dir, "no/report.html")), 3, "report.html");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
