//! Files of every version of the .pcn format still open, say the same, and answer the same.

use cubebase::pcn::{Codec, Pcn};
use cubebase::{Position, Tables};
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pcn/v1")
}

#[test]
fn version_1_answers_as_it_did() {
    for directory in [fixtures(), fixtures().join("plain")] {
        let tables = Tables::open(directory).unwrap();
        tables.preload().unwrap();
        for line in fs::read_to_string(fixtures().join("answers.tsv")).unwrap().lines() {
            let (fen, outcome) = line.split_once('\t').unwrap();
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(tables.probe(&position).unwrap().name(), outcome, "{fen}");
        }
    }
}

#[test]
fn version_1_says_the_same_in_both_codecs_and_in_the_newest_version() {
    let materials = Tables::open(fixtures()).unwrap().materials();
    assert!(!materials.is_empty());
    for material in materials {
        let name = format!("{material}.pcn");
        let plain = Pcn::read(&fixtures().join("plain").join(&name)).unwrap();
        let pcn = Pcn::read(&fixtures().join(&name)).unwrap();
        assert_eq!(pcn, plain, "{name}");
        for codec in Codec::ALL {
            assert_eq!(Pcn::decode(&pcn.encode(codec).unwrap()).unwrap(), pcn, "{name}");
        }
    }
}

#[test]
fn what_is_damaged_in_version_1_is_refused() {
    let good = fs::read(fixtures().join("KNvK.pcn")).unwrap();
    for at in 0..good.len() {
        assert!(Pcn::decode(&good[..at]).is_err());
        for change in [1, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= change;
            assert!(Pcn::decode(&bad).is_err(), "byte {at} changed by {change:#x}");
        }
    }
    assert!(Pcn::decode(&[&good[..], &[0]].concat()).is_err());
}
