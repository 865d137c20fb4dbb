//! A binary range coder: a decision of probability p takes about -log2 p bits.
//!
//! The carryless coder of M. Mahoney's lpaq: the interval has two 32-bit ends and is cut at the probability of a 1; leading
//! bytes that both ends share are written. Past the end of its bytes a decoder reads zeros, so that ending a stream costs a
//! byte or two.

use alloc::vec::Vec;

/// Codes decisions: an encoder writes the bit that it gets and returns it; a decoder ignores its argument and returns the bit
/// that was written. So one function describes a code in both directions.
pub(crate) trait Coder {
    /// Codes one decision. `one` is the probability of a 1 in 65536ths, 1 to 65535.
    fn code(&mut self, bit: bool, one: u32) -> bool;

    /// Announces the kind of the next decisions, for coders that sum costs by kind.
    #[inline]
    fn about(&mut self, _kind: usize) {}

    /// Codes `value`, one of 0 to `count` - 1, all equally likely; `count` is at least 1.
    fn uniform(&mut self, value: u64, count: u64) -> u64 {
        let (mut first, mut count) = (0, count);
        while count > 1 {
            // Counts are below 2^48, so that the product fits.
            let lower = count / 2;
            let one = (((count - lower) << 16) / count) as u32;
            if self.code(value >= first + lower, one) {
                first += lower;
                count -= lower;
            } else {
                count = lower;
            }
        }
        first
    }
}

/// The interval of an encoder or a decoder, ends included.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval { low: 0, high: u32::MAX };

    /// The last value that stands for a 1; the values above it stand for a 0.
    fn cut(self, one: u32) -> u32 {
        debug_assert!((1..65536).contains(&one));
        self.low + ((u64::from(self.high - self.low) * u64::from(one)) >> 16) as u32
    }

    fn narrow(&mut self, bit: bool, cut: u32) {
        if bit {
            self.high = cut;
        } else {
            self.low = cut + 1;
        }
    }

    /// Drops and returns the leading byte if both ends share it.
    fn settled(&mut self) -> Option<u8> {
        let byte = (self.high >> 24) as u8;
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        self.low <<= 8;
        self.high = self.high << 8 | 0xff;
        Some(byte)
    }
}

/// Writes decisions.
#[derive(Clone, Debug)]
pub(in crate::pcn) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(in crate::pcn) fn new() -> Self {
        Encoder { interval: Interval::ALL, bytes: Vec::new() }
    }

    /// Bytes written.
    pub(in crate::pcn) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the shortest bytes that decode to the decisions when zeros follow; the last byte is not zero.
    pub(in crate::pcn) fn finish(mut self) -> Vec<u8> {
        let Interval { low, high } = self.interval;
        let value = (0..=4).map(|bytes| high & !(u64::from(u32::MAX) >> (8 * bytes)) as u32);
        let value = value.into_iter().find(|&value| value >= low).unwrap_or(high);
        self.bytes.extend(value.to_be_bytes());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn code(&mut self, bit: bool, one: u32) -> bool {
        let cut = self.interval.cut(one);
        self.interval.narrow(bit, cut);
        while let Some(byte) = self.interval.settled() {
            self.bytes.push(byte);
        }
        bit
    }
}

/// Reads decisions. Any bytes are acceptable, and give some decisions.
#[derive(Debug)]
pub(in crate::pcn) struct Decoder<'a> {
    interval: Interval,
    value: u32,
    bytes: &'a [u8],
    /// Bytes read, zeros past the end included.
    read: usize,
}

impl<'a> Decoder<'a> {
    pub(in crate::pcn) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { interval: Interval::ALL, value: 0, bytes, read: 0 };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        let byte = self.bytes.get(self.read).copied().unwrap_or(0);
        self.value = self.value << 8 | u32::from(byte);
        self.read += 1;
    }

    /// Whether every byte was read and the last is not zero, as an encoder leaves them.
    pub(in crate::pcn) fn is_finished(&self) -> bool {
        self.read >= self.bytes.len() && self.bytes.last() != Some(&0)
    }
}

impl Coder for Decoder<'_> {
    fn code(&mut self, _: bool, one: u32) -> bool {
        let cut = self.interval.cut(one);
        let bit = self.value <= cut;
        self.interval.narrow(bit, cut);
        while self.interval.settled().is_some() {
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_decisions_take_no_bytes_and_likely_ones_take_few() {
        assert!(Encoder::new().finish().is_empty());
        let mut encoder = Encoder::new();
        (0..1000).for_each(|_| _ = encoder.code(true, 65000));
        assert_eq!(encoder.finish().len(), 0);
        let mut encoder = Encoder::new();
        (0..1000).for_each(|_| _ = encoder.code(false, 536));
        assert!(encoder.finish().len() <= 3);
    }

    proptest! {
        #[test]
        fn decisions_come_back(decisions in prop::collection::vec((any::<bool>(), 1..65536_u32), 0..400)) {
            let mut encoder = Encoder::new();
            let mut bits = 0.0;
            for &(bit, one) in &decisions {
                encoder.code(bit, one);
                let one = f64::from(one) / 65536.0;
                bits -= if bit { one } else { 1.0 - one }.log2();
            }
            let bytes = encoder.finish();
            prop_assert!(8.0 * bytes.len() as f64 <= bits + 16.0 + decisions.len() as f64 * 0.02);
            let mut decoder = Decoder::new(&bytes);
            for &(bit, one) in &decisions {
                prop_assert_eq!(decoder.code(false, one), bit);
            }
            prop_assert!(decoder.is_finished());
        }

        #[test]
        fn uniform_values_come_back(values in prop::collection::vec((any::<u64>(), 1..1_u64 << 40), 0..50)) {
            let mut encoder = Encoder::new();
            values.iter().for_each(|&(value, count)| _ = encoder.uniform(value % count, count));
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(value, count) in &values {
                prop_assert_eq!(decoder.uniform(0, count), value % count);
            }
        }
    }
}
