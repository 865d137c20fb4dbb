//! The way without text in between leads to the same cover as the way through PLAs.

use crate::command::{fails, minimize_pla, succeeds};
use std::path::Path;

/// The bytes of the file that `minimize` makes, and of the one that `pack` makes of what the minimizer leaves of the PLA.
fn both_ways(material: &str, steps: &str) -> [Vec<u8>; 2] {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let (tables, pla, min, packed, direct) =
        (at("tables"), at("in.pla"), at("out.pla"), at("packed.pcn"), at("direct.pcn"));
    succeeds(&["generate", material, "--out", &tables]);
    let model = ["--model", "binary", "--layers", "independent"];
    let minimized = ["minimize", material, "--tables", &tables, "--steps", steps, "-o", &direct];
    succeeds(&[&minimized[..], &model].concat());
    succeeds(&["export", material, "--tables", &tables, "-o", &pla]);
    minimize_pla(Path::new(&pla), Path::new(&min), steps);
    succeeds(&["pack", &min, "--material", material, "--tables", &tables, "-o", &packed]);
    [direct, packed].map(|path| std::fs::read(path).unwrap())
}

#[test]
fn text_in_between_changes_no_cover() {
    for material in ["KQvK", "KPvK"] {
        let mut sizes = Vec::new();
        for steps in
            ["compact", "compact,expand,irredundant", "compact,expand,irredundant,reduce,expand,irredundant"]
        {
            let [direct, packed] = both_ways(material, steps);
            assert_eq!(direct, packed, "{material} {steps}");
            sizes.push(direct.len());
        }
        assert!(sizes.is_sorted_by(|a, b| a > b), "every step counts: {sizes:?}");
    }
}

#[test]
#[ignore = "minutes: four men, one of them with two alike, and equal material"]
fn text_in_between_changes_no_cover_of_four_men() {
    for material in ["KQvKR", "KRRvK", "KRvKR"] {
        let [direct, packed] = both_ways(material, "compact,expand,irredundant");
        assert_eq!(direct, packed, "{material}");
    }
}

#[test]
fn too_little_memory_is_refused_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    let few = ["--memory", "16M"];
    for (model, bound) in [("binary", "up to"), ("auto", "at least")] {
        let message = format!("KPvK: minimizing takes {bound} ");
        let with_model = [&few[..], &["--model", model]].concat();
        fails(&[&["minimize", "KPvK", "-o", out][..], &with_model].concat(), 3, &message);
        fails(&[&["build", "KPvK", "--out", out][..], &with_model].concat(), 3, &message);
    }
    assert!(!Path::new(out).exists());
}
