//! Sections of covers in a file, in both directions.

use super::frozen::fields::{outcome_code, outcome_of, turns_code};
use super::frozen::reader::{Reader, push_number, push_payload};
use crate::chess::position::Wdl;
use crate::covers::frozen::{Layout, MAX_CLAUSES, Payload, Section};
use crate::error::{Error, Result};
use alloc::vec::Vec;

/// The fields of a section before the length of its payload, without its turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClausesEntry {
    pub(super) payload: Payload,
    pub(super) outcome: Wdl,
    pub(super) count: usize,
}

impl ClausesEntry {
    /// Reads the fields that follow `kind`.
    pub(super) fn read(kind: u8, reader: &mut Reader) -> Result<Self> {
        let payload = Payload::from_id(kind >> 6)?;
        let (outcome, count) = (outcome_of(kind >> 2 & 7)?, reader.short_number()? as usize);
        let is_count = (1..=MAX_CLAUSES).contains(&count);
        Error::corrupt_unless(is_count, || format!("{count} clauses, not 1 to {MAX_CLAUSES}"))?;
        Ok(ClausesEntry { payload, outcome, count })
    }
}

pub(super) fn push_section(
    bytes: &mut Vec<u8>,
    section: &Section,
    layout: &Layout,
    compress: bool,
) -> Result<()> {
    let (code, payload) = Payload::encode(layout, &section.clauses, compress)?;
    bytes.push(turns_code(section.turns) | outcome_code(section.outcome) << 2 | code.id() << 6);
    push_number(bytes, section.clauses.len() as u64);
    push_payload(bytes, &payload)
}
