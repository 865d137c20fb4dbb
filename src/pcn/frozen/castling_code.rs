//! The section of castling rights in a file. FORMAT.md, section "Castling rights", describes its bytes.

use super::castling::{CastlingExceptions, SET};
use super::fields::{outcome_code, outcome_of};
use super::reader::{Reader, push_number};
use crate::chess::position::{CastlingRights, Color, Material, Wdl};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The first byte of a run: the positions with the same rights, side to move and outcome.
fn run_byte(set: u64, outcome: Wdl) -> u8 {
    set as u8 | outcome_code(outcome) << 5
}

impl CastlingExceptions {
    pub(in crate::pcn) fn read(payload: &mut Reader, material: &Material) -> Result<Self> {
        let (mut entries, mut last) = (Vec::new(), 0);
        while !payload.is_at_end() {
            let byte = payload.byte()?;
            Error::corrupt_unless(byte > last, || "runs are not in ascending order".into())?;
            last = byte;
            let rights = CastlingRights::from_bits(byte & 15).unwrap_or_default();
            let numbers = material.castling_numbers(rights);
            let numbers =
                numbers.ok_or_else(|| Error::corrupt(format!("castling rights {rights} of {material}")))?;
            let is_stored = material.stored_turns().contains(&Color::BOTH[usize::from(byte >> 4 & 1)]);
            Error::corrupt_unless(is_stored, || "castling rights for a turn that is not stored".into())?;
            let outcome = outcome_of(byte >> 5)?;
            let (count, mut next) = (payload.number()?, 0_u64);
            Error::corrupt_unless(count > 0, || "a run without a position".into())?;
            for _ in 0..count {
                let number = next.saturating_add(payload.number()?);
                Error::corrupt_unless(number < numbers, || {
                    format!("position number {number}, not below {numbers}")
                })?;
                entries.push((u64::from(byte & 31) << SET | number, outcome));
                next = number + 1;
            }
        }
        entries.sort_unstable_by_key(|entry| entry.0);
        let is_twice = entries.windows(2).any(|pair| pair[0].0 == pair[1].0);
        Error::corrupt_unless(!is_twice, || "a position with two outcomes".into())?;
        Ok(CastlingExceptions { entries })
    }

    /// Returns the payload of the section.
    pub(in crate::pcn) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut runs: Vec<u8> =
            self.entries.iter().map(|&(key, outcome)| run_byte(key >> SET, outcome)).collect();
        runs.sort_unstable();
        runs.dedup();
        for run in runs {
            let of_run = self.entries.iter().filter(|&&(key, outcome)| run_byte(key >> SET, outcome) == run);
            bytes.push(run);
            push_number(&mut bytes, of_run.clone().count() as u64);
            let mut next = 0;
            for (key, _) in of_run {
                let number = key & ((1 << SET) - 1);
                push_number(&mut bytes, number - next);
                next = number + 1;
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Position;
    use crate::error::ErrorKind;

    /// The payload of `KRvKR` in FORMAT.md.
    const ROOKS: [u8; 13] = [0x82, 6, 0x89, 3, 0x3f, 0xff, 0x0d, 0xff, 3, 0xff, 3, 0xff, 3];

    fn read(signature: &str, payload: &[u8]) -> Result<CastlingExceptions> {
        CastlingExceptions::read(&mut Reader::new(payload), &signature.parse().unwrap())
    }

    #[test]
    fn the_example_of_the_format() {
        let bundle = include_bytes!("../../../fixtures/four-men.pcb");
        let bundle = crate::pcn::Bundle::open(bundle).unwrap();
        let file = bundle.table(&"KRvKR".parse().unwrap()).unwrap();
        let section = [&[0, ROOKS.len() as u8], &ROOKS[..]].concat();
        assert!(file[..file.len() - 4].ends_with(&section));
        let hex: Vec<String> = section.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(include_str!("../FORMAT.md").contains(&format!("\n    {}\n", hex.join(" "))));
        let exceptions = read("KRvKR", &ROOKS).unwrap();
        assert_eq!((exceptions.len(), exceptions.write()), (6, ROOKS.to_vec()));
        // The king on d6, the rook on b2; the same with the colours exchanged; and three similar positions.
        for (fen, outcome) in [
            ("8/8/3k4/8/8/8/1r6/R3K3 w Q - 0 1", Some(Wdl::Win)),
            ("r3k3/1R6/8/8/8/3K4/8/8 b q - 0 1", Some(Wdl::Win)),
            ("8/8/4k3/8/8/8/1r6/R3K3 w Q - 0 1", None),
            ("8/8/3k4/8/8/8/1r6/4K2R w K - 0 1", None),
            ("8/8/3k4/8/8/8/1r6/R3K3 b Q - 0 1", None),
        ] {
            assert_eq!(exceptions.outcome(&Position::from_fen(fen).unwrap()), outcome, "{fen}");
        }
    }

    #[test]
    fn payloads_that_break_a_rule_are_refused() {
        assert_eq!(read("KRvK", &[]).unwrap().len(), 0);
        assert_eq!(read("KRvK", &[1, 1, 63]).unwrap().len(), 1);
        for (signature, payload, kind) in [
            // No rights, rights without rooks, Black to move in a symmetric material, no outcome, a reserved outcome.
            ("KRvK", &[0x20, 1, 0][..], ErrorKind::Corrupt),
            ("KRvK", &[3, 1, 0], ErrorKind::Corrupt),
            ("KQvKB", &[1, 1, 0], ErrorKind::Corrupt),
            ("KRvKR", &[0x91, 1, 0], ErrorKind::Corrupt),
            ("KRvK", &[0xa1, 1, 0], ErrorKind::Corrupt),
            ("KRvK", &[0x21, 1, 0], ErrorKind::UnsupportedVersion),
            // No positions, too few, numbers beyond the end, runs out of order, the same position twice.
            ("KRvK", &[1, 0], ErrorKind::Corrupt),
            ("KRvK", &[1, 2, 5], ErrorKind::Corrupt),
            ("KRvK", &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 5], ErrorKind::Corrupt),
            ("KRvK", &[1, 1, 64], ErrorKind::Corrupt),
            ("KRvK", &[1, 2, 63, 0], ErrorKind::Corrupt),
            ("KRvK", &[2, 1, 5, 1, 1, 5], ErrorKind::Corrupt),
            ("KRvK", &[1, 1, 5, 1, 1, 6], ErrorKind::Corrupt),
            ("KRvK", &[1, 1, 5, 0x41, 1, 5], ErrorKind::Corrupt),
            ("KRvK", &[1], ErrorKind::Corrupt),
        ] {
            let error = read(signature, payload).unwrap_err();
            assert_eq!(error.kind(), kind, "{signature} {payload:x?}: {error}");
        }
    }

    #[test]
    fn the_section_comes_last_and_once() {
        let bundle = include_bytes!("../../../fixtures/four-men.pcb");
        let bundle = crate::pcn::Bundle::open(bundle).unwrap();
        let file = bundle.table(&"KRvK".parse().unwrap()).unwrap();
        let with = |version: u8, end: &[u8]| {
            let mut bytes = file[..file.len() - 6].to_vec();
            bytes[1] = version;
            bytes.extend(end);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            crate::Pcn::decode(&bytes).map(|pcn| pcn.castling()).map_err(|error| error.kind())
        };
        assert_eq!(with(4, &[0, 0]), Ok(Some(0)));
        assert_eq!(with(4, &[0, 3, 1, 1, 9]), Ok(Some(1)));
        assert_eq!(with(3, &[]), Ok(None));
        for (version, end) in
            [(4, &[][..]), (3, &[0, 0]), (4, &[0, 0, 0, 0]), (4, &[0]), (4, &[0, 1]), (4, &[0, 3, 1, 1, 64])]
        {
            assert_eq!(with(version, end), Err(ErrorKind::Corrupt), "{version} {end:?}");
        }
    }
}
