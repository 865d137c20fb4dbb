//! The page of `compare --html`: whole by itself, right in its figures, and refused where it cannot be.

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

/// The texts of the cells of a row.
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
        assert_eq!(row[3].replace(',', ""), table["bytes"].to_string(), "{row:?}");
        let parts = row[10..].iter().take(4).map(|cell| cell.replace(',', "").parse::<u64>().unwrap());
        assert_eq!(parts.sum::<u64>(), table["bytes"].as_u64().unwrap(), "{row:?}");
    }
    let queen = rows.iter().find(|row| row.first() == Some(&"KQvK")).unwrap();
    assert!(queen.ends_with(&["111", "432"]), "of the record: {queen:?}");
    assert!(page.contains("cpu: AMD EPYC, threads: 2"));
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
fn what_cannot_be_is_refused_and_leaves_no_page() {
    let dir = tempfile::tempdir().unwrap();
    let html = at(&dir, "report.html");
    fails(format!("compare {BUNDLE} --record {RECORD}"), 2, "--html");
    fails(format!("compare {BUNDLE} --html {html} --format json"), 2, "--format");
    fails(format!("compare {BUNDLE} --html {html} --record {BUNDLE}"), 3, "four-men.pcb");
    fails(format!("compare {BUNDLE} --html {html} --record /no/such"), 3, "/no/such");
    fails(format!("compare {BUNDLE} --html {}", at(&dir, "no/report.html")), 3, "report.html");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
