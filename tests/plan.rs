//! `plan` from outside: every table once, after those it waits for, with what it takes.

use crate::command::{fails, json, quoted, succeeds};
use serde_json::Value;
use std::collections::HashSet;

fn tables(plan: &Value) -> &[Value] {
    plan["tables"].as_array().unwrap()
}

fn name(table: &Value) -> &str {
    table["material"].as_str().unwrap()
}

#[test]
fn every_table_comes_once_and_after_those_it_waits_for() {
    let plan = json("plan 6");
    let mut done = HashSet::new();
    for table in tables(&plan) {
        for below in table["after"].as_array().unwrap() {
            assert!(done.contains(below.as_str().unwrap()), "{} before {below}", name(table));
        }
        assert!(done.insert(name(table)), "{} twice", name(table));
    }
    let of = |men| tables(&plan).iter().filter(|table| table["men"] == men).count();
    assert_eq!([2, 3, 4, 5, 6].map(of), [1, 5, 30, 110, 365]);
    let sum = |stage: &str| -> f64 {
        tables(&plan).iter().map(|table| table[stage]["cpu_seconds"].as_f64().unwrap()).sum()
    };
    let all = plan["cpu_seconds"].as_f64().unwrap();
    assert!((sum("generate") + sum("minimize") - all).abs() < all / 1e6);
}

#[test]
fn a_material_brings_its_sub_tables() {
    let plan = json("plan KPvKP");
    let find = |material| tables(&plan).iter().find(|table| name(table) == material).unwrap();
    let after: Vec<&str> =
        find("KPvKP")["after"].as_array().unwrap().iter().map(|below| below.as_str().unwrap()).collect();
    // A pawn is taken, or becomes a piece.
    for below in ["KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP"] {
        assert!(after.contains(&below), "{below}: {after:?}");
    }
    assert_eq!(find("KPvKP")["pawns"], 2);
    assert_eq!(find("KvK")["after"].as_array().unwrap().len(), 0);
    let text = succeeds("plan KPvKP");
    assert!(text.contains("of memory at most") && text.lines().next().unwrap().contains("after"), "{text}");
}

/// The estimate of `generate` for a table whose sub-tables exist is that of the plan made before they did.
#[test]
fn a_job_has_the_estimate_of_its_table_alone() {
    let directory = tempfile::tempdir().unwrap();
    let planned = json("plan KPvK KQRvK");
    succeeds(format!("generate KPvK KQvK KRvK --out {}", quoted(&directory)));
    std::fs::remove_file(directory.path().join("KPvK.wdl")).unwrap();
    let now = json(format!("generate KPvK KQRvK --out {} --estimate", quoted(&directory)));
    for material in ["KPvK", "KQRvK"] {
        let find = |all: &Value| tables(all).iter().find(|table| name(table) == material).unwrap().clone();
        let now = find(&json(format!("generate {material} --out {} --estimate", quoted(&directory))));
        let planned = &find(&planned)["generate"];
        assert_eq!((&planned["cpu_seconds"], &now["is_there"]), (&now["cpu_seconds"], &Value::from(false)));
        assert_eq!(planned["peak_bytes"], now["peak_bytes"], "{material}");
    }
    assert_eq!(tables(&now).len(), 7);
}

#[test]
fn short_memory_is_kept_to_or_refused() {
    let five = |memory: &str| {
        let plan = json(format!("plan KRPvKR --memory {memory}"));
        tables(&plan).iter().find(|table| name(table) == "KRPvKR").unwrap().clone()
    };
    let (much, less, little) = (five("64G"), five("3G"), five("600M"));
    assert_eq!(much["generate"]["scratch_bytes"], 0);
    assert!(little["generate"]["scratch_bytes"].as_u64() > Some(0), "{little}");
    for stage in ["generate", "minimize"] {
        let bytes = |table: &Value| table[stage]["peak_bytes"].as_u64().unwrap();
        assert!(bytes(&less) <= 3 << 30 && bytes(&much) > bytes(&little), "{stage}: {less} {much}");
    }
    assert_eq!((&much["refused"], &less["refused"]), (&Value::Null, &Value::Null));
    assert!(little["refused"].as_str().unwrap().contains("minimizing takes at least"), "{little}");
    let eight = json("plan KQRBvKQRB --memory 100T");
    let eight = tables(&eight).last().unwrap();
    assert!(eight["refused"].as_str().unwrap().contains("a tree is grown of"), "{eight}");
}

#[test]
fn options_without_measurements_have_no_estimate() {
    let plan = json("plan KQvK --effort 4");
    let minimize = &tables(&plan)[1]["minimize"];
    assert_eq!((&minimize["cpu_seconds"], &minimize["pcn_bytes"]), (&Value::Null, &Value::Null));
}

/// Distances take more memory and time than outcomes, and a build with too little is refused before it makes anything.
#[test]
fn distances_have_costs_of_their_own() {
    let [outcomes, distances] = ["", "--distances"].map(|options| json(format!("plan KBNvK {options}")));
    for (part, figure) in [("generate", "peak_bytes"), ("minimize", "cpu_seconds"), ("minimize", "pcn_bytes")]
    {
        let of = |plan: &Value| tables(plan).last().unwrap()[part][figure].as_f64().unwrap();
        assert!(of(&distances) > of(&outcomes), "{figure}");
    }
    let least = tables(&distances).last().unwrap()["minimize"]["least_bytes"].as_u64().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let out = quoted(&directory);
    let command = format!("build KQvK KBNvK --distances --memory {} --out {out}", least - 1);
    fails(command, 3, "KBNvK: minimizing its distances takes at least");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
}

/// A budget is kept to, and no more efforts are lowered than it takes: the largest first.
#[test]
fn a_budget_is_shared_out() {
    let seconds = |plan: &Value| plan["cpu_seconds"].as_f64().unwrap();
    let plan_four = |options: &str| json(format!("plan 4 --memory 8G {options}"));
    let (least, most) = (plan_four("--effort 1"), plan_four(""));
    let hours = f64::midpoint(seconds(&least), seconds(&most)) / 3600.0;
    let plan = plan_four(&format!("--budget {hours}"));
    assert!(seconds(&plan) <= 3600.0 * hours, "{plan}");
    let mut efforts: Vec<(u64, u64)> = tables(&plan)
        .iter()
        .map(|table| (table["slots"].as_u64().unwrap(), table["effort"].as_u64().unwrap()))
        .collect();
    efforts.sort_unstable_by_key(|&(slots, effort)| (slots, std::cmp::Reverse(effort)));
    assert!(efforts.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{efforts:?}");
    assert_eq!((efforts[0].1, efforts[efforts.len() - 1].1), (3, 1));
    // One table more would be beyond it.
    let next = efforts.iter().find(|(_, effort)| *effort == 1).unwrap().0;
    let of = |plan: &Value| {
        let is_next = |table: &&Value| table["slots"] == next;
        tables(plan).iter().find(is_next).unwrap()["minimize"]["cpu_seconds"].as_f64().unwrap()
    };
    assert!(seconds(&plan) + of(&most) - of(&least) > 3600.0 * hours);
    assert_eq!(tables(&plan_four("--budget 1000")), tables(&most));
    fails("plan 4 --budget 0.001", 2, "at effort 1");
    fails("plan 4 --budget -1", 2, "hours");
    fails("plan 4 --budget 1 --effort 4", 2, "no estimate of the time");
}
