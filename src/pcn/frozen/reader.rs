//! A reader of fields, and numbers of variable length.

use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

/// Bytes of a checksum.
pub(in crate::pcn) const CHECKSUM: usize = 4;

/// Bytes of a file, and the place of the next one to read.
pub(in crate::pcn) struct Reader<'a> {
    pub(in crate::pcn) bytes: &'a [u8],
    pub(in crate::pcn) at: usize,
    /// The offset of the bytes in the file.
    start: usize,
}

impl<'a> Reader<'a> {
    pub(in crate::pcn) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0, start: 0 }
    }

    /// Returns a reader of `part` of the bytes of a file.
    ///
    /// # Panics
    /// When the part goes beyond the end.
    pub(in crate::pcn) fn of_part(bytes: &'a [u8], part: core::ops::Range<usize>) -> Self {
        Reader { start: part.start, bytes: &bytes[part], at: 0 }
    }

    /// Compares the checksum at the end of a file, and returns a reader of the bytes before it. There must be `least` or more. If the
    /// checksum is wrong, `skip` skips the fields before it, to distinguish a file cut short from one with other damage.
    pub(in crate::pcn) fn of_sealed(
        bytes: &'a [u8],
        least: usize,
        skip: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Self> {
        let cut_short = || Error::corrupt("cut short");
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&body| body >= least);
        let mut all = Reader::new(bytes);
        let reader = all.part(body.ok_or_else(cut_short)?)?;
        all.field("checksum", Self::checksum).map_err(|error| {
            let mut fields = Reader::new(bytes);
            let least = if skip(&mut fields).is_ok() { CHECKSUM } else { 1 };
            if fields.left() < least { cut_short() } else { error }
        })?;
        Ok(reader)
    }

    /// Takes the next `length` bytes, and returns a reader of them.
    pub(in crate::pcn) fn part(&mut self, length: usize) -> Result<Self> {
        let start = self.offset();
        Ok(Reader { bytes: self.take(length)?, at: 0, start })
    }

    pub(in crate::pcn) fn is_at_end(&self) -> bool {
        self.left() == 0
    }

    /// The number of bytes that were not read.
    pub(in crate::pcn) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The offset of the next byte in the file.
    pub(in crate::pcn) fn offset(&self) -> usize {
        self.start + self.at
    }

    /// Calls `read`, and adds the name and the offset of the field to its error.
    pub(in crate::pcn) fn field<T>(
        &mut self,
        field: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let start = self.offset();
        read(self).map_err(|error| error.in_field(field).at_offset(start))
    }

    /// Takes the next `length` bytes. If fewer are left, none is left after the error.
    pub(in crate::pcn) fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (rest, start) = (&self.bytes[self.at..], self.offset());
        self.at += length.min(rest.len());
        rest.get(..length).ok_or_else(|| {
            let have = rest.len();
            Error::corrupt(format!("cut short: {length} bytes expected, {have} left")).at_offset(start)
        })
    }

    pub(in crate::pcn) fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads a number of up to 63 bits: groups of seven bits, least significant first, bit 7 set in all but the last.
    pub(in crate::pcn) fn number(&mut self) -> Result<u64> {
        let (mut number, start) = (0, self.offset());
        let bad = |why| Err(Error::corrupt(why).at_offset(start));
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let is_minimal = byte != 0 || shift == 0;
                return if is_minimal { Ok(number) } else { bad("a number written too long") };
            }
        }
        bad("a number beyond 63 bits")
    }

    /// Reads a number of up to 32 bits.
    pub(in crate::pcn) fn short_number(&mut self) -> Result<u32> {
        let start = self.offset();
        u32::try_from(self.number()?).map_err(|_| Error::corrupt("a number beyond 32 bits").at_offset(start))
    }

    /// Reads a checksum, and compares it with the CRC-32 of all bytes before it.
    pub(in crate::pcn) fn checksum(&mut self) -> Result<()> {
        let (before, start) = (&self.bytes[..self.at], self.offset());
        if self.take(CHECKSUM)? == crc32fast::hash(before).to_le_bytes() {
            Ok(())
        } else {
            Err(Error::corrupt("wrong checksum").at_offset(start))
        }
    }
}

/// Appends `number`, below 2^63, in groups of seven bits, least significant first, bit 7 set in all but the last.
pub(in crate::pcn) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a payload behind its length.
pub(in crate::pcn) fn push_payload(bytes: &mut Vec<u8>, payload: &[u8]) -> Result<()> {
    let length = u32::try_from(payload.len())
        .map_err(|_| Error::new(ErrorKind::BudgetExhausted, "a section of 4 GiB or more"))?;
    push_number(bytes, length.into());
    bytes.extend(payload);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        let short = |bytes: &[u8]| Reader::new(bytes).short_number().ok();
        assert_eq!(short(&[0]), Some(0));
        assert_eq!(short(&[0x7f]), Some(127));
        assert_eq!(short(&[0x80, 1]), Some(128));
        assert_eq!(short(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some(u32::MAX));
        for bad in [&[0x80][..], &[0x80, 0], &[0x81, 0], &[0xff, 0xff, 0xff, 0xff, 0x10], &[0x80; 12]] {
            assert_eq!(short(bad), None, "{bad:x?}");
        }
    }

    #[test]
    fn numbers_come_back() {
        for number in (0..63).flat_map(|bits| [(1_u64 << bits) - 1, 1 << bits, 3 << bits >> 1]) {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.number().unwrap(), number);
            assert!(reader.is_at_end());
        }
    }
}
