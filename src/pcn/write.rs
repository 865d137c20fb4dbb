//! Writing a .pcn file into bytes, as FORMAT.md describes them.

use super::read::{LIST, MAGIC, VERSION};
use super::{Codec, Layers, Pcn, Turns};
use crate::error::{Error, ErrorKind, Result};
use crate::position::Wdl;

impl Pcn {
    /// Returns the bytes of the file, its sections written by `codec`; a section that `codec` would make longer than
    /// [`Codec::None`] does is left plain. Deterministic: the same content and codec give the same bytes.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when a section takes 4 GiB or more; [`ErrorKind::Internal`] when zstd refuses.
    pub fn encode(&self, codec: Codec) -> Result<Vec<u8>> {
        let signature = self.material().to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, layers_code(self.layers()), self.model().id(), self.model().version()]);
        bytes.push(signature.len() as u8);
        bytes.extend(signature.as_bytes());
        bytes.extend(self.table_hash());
        for side in self.sides() {
            bytes.push(side.lead as u8 | side.default.map_or(NO_OUTCOME, outcome_code) << 4);
        }
        bytes.push(self.sections().len() as u8);
        let layout = self.layout();
        let mut payloads = Vec::with_capacity(self.sections().len());
        for section in self.sections() {
            let (codec, payload) = codec.encode(&layout, &section.clauses)?;
            let length = u32::try_from(payload.len()).map_err(|_| {
                Error::new(ErrorKind::BudgetExhausted, format!("{signature}: a section of 4 GiB or more"))
            })?;
            bytes.push(turns_code(section.turns) | outcome_code(section.outcome) << 2 | LIST << 5);
            bytes.push(codec.id());
            push_number(&mut bytes, section.clauses.len() as u32);
            push_number(&mut bytes, length);
            payloads.push(payload);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        for payload in payloads {
            bytes.extend(&payload);
            bytes.extend(crc32fast::hash(&payload).to_le_bytes());
        }
        Ok(bytes)
    }
}

/// The code in place of an outcome where there is none.
pub(super) const NO_OUTCOME: u8 = 15;

/// The code of an outcome; 1 and 3 are kept for the two outcomes that the 50-move rule adds.
pub(super) const fn outcome_code(outcome: Wdl) -> u8 {
    match outcome {
        Wdl::Loss => 0,
        Wdl::Draw => 2,
        Wdl::Win => 4,
    }
}

const fn turns_code(turns: Turns) -> u8 {
    match turns {
        Turns::White => 1,
        Turns::Black => 2,
        Turns::Both => 3,
    }
}

const fn layers_code(layers: Layers) -> u8 {
    match layers {
        Layers::Ordered => 0,
        Layers::Independent => 1,
    }
}

/// Appends `number` in groups of seven bits, least significant first, bit 7 set in all but the last.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
