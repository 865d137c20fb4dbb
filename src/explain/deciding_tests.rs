//! Explanations give the outcomes of probes and name the deciding clause.

use super::{BoardExplanation, Style};
use crate::chess::position::{Color, Position, Square};
use crate::outcome::Wdl50;
use crate::pcn::Codec;
use crate::pcn::noise::Noise;
use crate::pcn::rule_tests;
use crate::probe::on_demand::page_tests;
use crate::probe::tests::{kings_low, position, table};
use crate::probe::{Prober, Tables};

#[test]
fn explanations_give_the_outcomes_of_probes() {
    let mut noise = Noise(7);
    for material in ["KQvK", "KPvKP", "KRvKR", "KQQQvK"] {
        let pcn = table(material, [30, 60, 90], &mut noise);
        let prober = Prober::new(&pcn);
        for _ in 0..300 {
            let squares: Vec<Square> =
                pcn.material().men().iter().map(|_| Square::new(noise.below(64) as u8)).collect();
            let position = Position::new(*pcn.material(), &squares, Color::BOTH[noise.below(2)], None);
            let explained = prober.explain(&position).map(|explanation| explanation.outcome);
            match (explained, prober.probe(&position)) {
                (Ok(explained), Ok(probed)) => assert_eq!(explained, probed),
                (explained, probed) => {
                    assert_eq!(explained.unwrap_err().kind(), probed.unwrap_err().kind());
                }
            }
        }
    }
}

#[test]
fn a_tree_in_pages_is_explained_as_the_whole_tree() {
    let pcn = page_tests::table();
    let (whole, tables) =
        (Prober::new(&pcn), Tables::from_bytes(pcn.encode(Codec::Compressed).unwrap()).unwrap());
    for position in &page_tests::positions(100) {
        let [a, b] = [tables.explain(position).unwrap(), whole.explain(position).unwrap()];
        assert_eq!(a.to_string(), b.to_string());
    }
}

#[test]
fn explanations_name_section_clause_and_literals() {
    let table = Prober::new(&kings_low());
    let explain = |fen| table.explain(&position(fen)).unwrap().to_string();
    // The white king is the anchor of White's positions: h8 becomes a1.
    assert_eq!(
        explain("7K/8/8/2k5/8/8/8/Q7 w - - 0 1"),
        "win by section 0, clause 0 (wk5=1 wk4=1), as 7Q/8/8/8/5k2/8/8/K7 w - - 0 1"
    );
    assert_eq!(
        explain("8/8/8/3K4/8/1k6/8/7Q w - - 0 1"),
        "draw by section 1, clause 0 (always), as 7Q/8/8/8/3K4/8/5k2/8 w - - 0 1"
    );
    assert_eq!(
        explain("8/8/8/3K4/8/1k6/8/7Q b - - 0 1"),
        "loss by section 2, clause 0 (always), as Q7/8/8/8/4K3/8/2k5/8 b - - 0 1"
    );
}

/// The rule of the example in FORMAT.md: the queen on the files a to d does not win in time. Black to move has no tree of the rule.
#[test]
fn the_leaf_of_the_rule_is_named() {
    let tables = Tables::from_bytes(rule_tests::ruled().encode(Codec::None).unwrap()).unwrap();
    for (fen, expected) in [
        ("8/8/8/8/4k3/8/7Q/K7 w - - 0 1", Some((Wdl50::Win, 1))),
        ("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", Some((Wdl50::CursedWin, 0))),
        ("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1", None),
    ] {
        let explained = BoardExplanation::of_fen(&tables, fen).unwrap();
        let found = explained.explanation.rule.map(|rule| (rule.outcome, rule.leaf));
        assert_eq!(found, expected, "{fen}");
        let (text, json) =
            (explained.to_text(Style { columns: 1000, has_color: false }), explained.to_json());
        let Some((outcome, leaf)) = expected else {
            assert!(!text.contains("50-move rule") && json.contains(r#""rule":null"#), "{text} {json}");
            continue;
        };
        let words = outcome.name().replace('-', " ");
        let says = format!("it is a {words} for White, by leaf {leaf} of the rule's tree.");
        assert!(text.contains(&says), "{text}");
        let field = format!(r#""rule":{{"outcome":"{outcome}","leaf":{leaf},"is_exception":false}}"#);
        assert!(json.contains(&field), "{json}");
    }
}
