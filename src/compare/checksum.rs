//! The checksum at the end of every Syzygy file.
//!
//! A file consists of its content, in blocks of 64 bytes, and a checksum of 16 bytes. The content is hashed in pieces of 16 MiB
//! by `CityHashCrc256`, a function of the `CityHash` family (Pike and Alakuijala, 2011) that mixes words with multiplications
//! and CRC-32C. The concatenated hashes are hashed to 128 bits. This file has `CityHashCrc256`, which no crate offers.

const CHECKSUM: usize = 16;
/// Bytes of the content for each hash.
const PIECE: usize = 1 << 24;
/// If the hashes take more bytes than this together, they are hashed by `CityHashCrc256` too.
const LONG: usize = 900;

/// Whether the last bytes of `file` are the checksum of the others.
pub(super) fn is_right(file: &[u8]) -> bool {
    let Some((content, checksum)) = file.split_last_chunk::<CHECKSUM>() else { return false };
    let hashes: Vec<u8> = content.chunks(PIECE).flat_map(crc256).flat_map(u64::to_le_bytes).collect();
    let hash = if hashes.len() > LONG {
        let [_, _, low, high] = crc256(&hashes);
        u128::from(low) | u128::from(high) << 64
    } else {
        // The crate has the first half in the high bits.
        cityhash_rs::cityhash_102_128(&hashes).rotate_left(64)
    };
    u128::from_le_bytes(*checksum) == hash
}

/// A prime of the function.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
/// The bytes that are mixed in at a time, and those of a round.
const LANE: usize = 40;
const ROUND: usize = 6 * LANE;

/// The state while bytes are mixed in: six words, and for each of the first five the CRC of all its values so far.
struct State {
    words: [u64; 6],
    crcs: [u64; 5],
}

impl State {
    /// Mixes in the words of `lane`. For an `even` lane, the rotations differ and there is no multiplication.
    fn mix_in(&mut self, lane: &[u8], even: bool) {
        let (factor, change) = if even { (1, 1) } else { (K0, 0) };
        let mix = |word: u64, by: u32, at: usize| {
            word.rotate_right(by ^ change).wrapping_mul(factor).wrapping_add(word_at(lane, at))
        };
        let [a, b, c, d, e, last] = self.words;
        self.words = [mix(b, 41, 0), mix(c, 27, 8), mix(d, 41, 16), mix(e, 33, 24), mix(last, 25, 32), a];
        for (crc, word) in self.crcs.iter_mut().zip(self.words) {
            // The crate inverts the CRC before and after: undone here.
            *crc = u64::from(!crc32c::crc32c_append(!(*crc as u32), &word.to_le_bytes()));
        }
    }
}

/// `CityHashCrc256`. Less than a round is padded with zeros, and the seed then depends on the length.
fn crc256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= ROUND {
        return crc256_seeded(bytes, 0);
    }
    let mut filled = bytes.to_vec();
    filled.resize(ROUND, 0);
    crc256_seeded(&filled, !(bytes.len() as u32))
}

/// `CityHashCrc256` of at least [`ROUND`] bytes.
fn crc256_seeded(bytes: &[u8], seed: u32) -> [u64; 4] {
    let add = u64::wrapping_add;
    let length = bytes.len() as u64;
    let b = add(word_at(bytes, 96), K0);
    let (first, second) = (hash_pair(b, length), add(word_at(bytes, 120).wrapping_mul(K0), length));
    let (a, e) = (add(word_at(bytes, 56), K0), add(word_at(bytes, 184), seed.into()));
    let mut state =
        State { words: [a, b, first, second, e, add(first, second)], crcs: [seed.into(), 0, 0, 0, 0] };
    let (rounds, rest) = bytes.split_at(bytes.len() / ROUND * ROUND);
    for (at, lane) in rounds.chunks_exact(LANE).enumerate() {
        state.mix_in(lane, at % 2 == 0);
    }
    let lanes = rest.chunks_exact(LANE);
    let is_cut = !lanes.remainder().is_empty();
    lanes.for_each(|lane| state.mix_in(lane, false));
    if is_cut {
        // The last lane overlaps the one before.
        state.mix_in(&bytes[bytes.len() - LANE..], false);
    }
    finish(&state, [first, second])
}

/// Folds the words and the CRCs into the four words of the hash.
fn finish(state: &State, [first, second]: [u64; 2]) -> [u64; 4] {
    let add = u64::wrapping_add;
    let [a, b, c, d, e, last] = state.words;
    let [f, g, h, i, j] = state.crcs;
    let j = add(j, i << 32);
    let a = hash_pair(a, j);
    let h = add(h, g << 32);
    let b = add(b, h);
    let c = add(hash_pair(c, f), i);
    let d = hash_pair(d, add(e, first));
    let j = add(j, e);
    let i = add(i, hash_pair(h, last));
    let e = add(hash_pair(a, d), j);
    let f = add(hash_pair(b, c), a);
    let g = add(hash_pair(j, i), c);
    let one = add(add(e, f), add(g, h));
    let a = add(fold(add(a, g).wrapping_mul(K0)).wrapping_mul(K0), b);
    let two = add(second, add(a, one));
    let a = add(fold(a.wrapping_mul(K0)).wrapping_mul(K0), c);
    let three = add(a, two);
    let a = fold(add(a, e).wrapping_mul(K0)).wrapping_mul(K0);
    [one, two, three, add(a, three)]
}

fn word_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("at least a round of bytes"))
}

fn fold(word: u64) -> u64 {
    word ^ word >> 47
}

fn hash_pair(u: u64, v: u64) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = fold((u ^ v).wrapping_mul(FACTOR));
    fold((v ^ a).wrapping_mul(FACTOR)).wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file of king and knight against king, always drawn: shorter than a round.
    const KNVK: &str = "\
        71e8235d3100ee6622008002800200000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000b9eccbff19c677158e928b1b641248b7";

    /// The file of king and queen against king: a round and some bytes.
    const KQVK: &str = "\
        71e8235d3100ee665500800400060f0002000000080114001400140012000a0003000200000018000aa0000900011280\
        0000000005500012e0001220010ee0000ff00017e00006600003000016600117300102f0ff1550010a60001020000880\
        0015e00003300000f0ff01900008f000000000000040d95b891e00000000000005928948c7a8eb15685bffe52207048c\
        38655250394805ce5533add62ad0b7ffca440e091870caa4a072900b9caa675bac55a16ffffffffffffffe0041851457\
        0820d9cc60102e1041b25033a8e33a8e33a8e33a8e33a8e6318c63187fffff048188c971192e2325c464b88c97ec0000\
        00000000000000000000000000000000e26581810d53ca655d96f2d6bff3c749";

    fn file(hexadecimal: &str) -> Vec<u8> {
        let byte = |at: usize| u8::from_str_radix(&hexadecimal[at..at + 2], 16).unwrap();
        (0..hexadecimal.len()).step_by(2).map(byte).collect()
    }

    #[test]
    fn only_undamaged_files_have_their_checksums() {
        for file in [KNVK, KQVK].map(file) {
            assert!(is_right(&file));
            for at in 0..file.len() {
                for bit in 0..8 {
                    let mut damaged = file.clone();
                    damaged[at] ^= 1 << bit;
                    assert!(!is_right(&damaged), "byte {at}, bit {bit}");
                }
                assert!(!is_right(&file[..at]), "cut to {at}");
            }
        }
    }
}
