//! `frontiers`: what a pass of the generator hands to the next, as plain words with a summary and as a roaring bitmap.
//!
//! The positions at one distance from mate are what one pass of the generator decides. For every distance of a table
//! both structures hold them in turn: filled in the scattered order in which un-moves find them, read in ascending order,
//! emptied. This decides how the generator keeps its frontiers.

use crate::table::Table;
use crate::{Format, Verdict, record};
use anyhow::{Result, ensure};
use cubebase::Material;
use cubebase::retrograde::{Metric, Store};
use roaring::RoaringBitmap;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

/// Words that one bit of the summary stands for, as in the generator.
const BLOCK: usize = 16;

/// Plain words against roaring bitmaps for the frontiers of one table.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: cubebase-bench frontiers KBNvK")]
pub struct Arguments {
    /// The table.
    #[arg(default_value = "KBNvK")]
    material: String,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A set of slots as words, with a bit for every block of words that is not empty.
struct Words {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Words {
    fn new(slots: u64) -> Self {
        let words = slots.div_ceil(64) as usize;
        Words { words: vec![0; words], summary: vec![0; words.div_ceil(64 * BLOCK)] }
    }

    fn insert(&mut self, slot: u32) {
        let word = slot as usize / 64;
        self.words[word] |= 1 << (slot % 64);
        self.summary[word / BLOCK / 64] |= 1 << (word / BLOCK % 64);
    }

    /// Hands all to `visit`, a word of 64 slots at a time, and empties the set.
    fn drain(&mut self, mut visit: impl FnMut(usize, u64)) {
        for (at, summary) in self.summary.iter_mut().enumerate() {
            let mut blocks = std::mem::take(summary);
            while blocks != 0 {
                let first = (at * 64 + blocks.trailing_zeros() as usize) * BLOCK;
                blocks &= blocks - 1;
                for (word, bits) in self.words.iter_mut().enumerate().skip(first).take(BLOCK) {
                    if *bits != 0 {
                        visit(word, std::mem::take(bits));
                    }
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        8 * (self.words.len() + self.summary.len())
    }
}

/// Runs the command; wrong when the two structures disagree.
pub fn run(arguments: &Arguments) -> Result<Verdict> {
    let (material, _) = Material::parse(&arguments.material)?;
    let passes = passes(&material)?;
    let mut words = Words::new(passes.slots);
    let mut table = Table::new(&[
        "plies",
        "slots",
        "share",
        "words_bytes",
        "roaring_bytes",
        "words_us",
        "roaring_us",
        "roaring_ratio",
    ]);
    let mut good = true;
    let mut totals = [0.0; 2];
    for (ply, slots) in passes.by_ply.iter().enumerate().filter(|(_, slots)| !slots.is_empty()) {
        let start = Instant::now();
        slots.iter().for_each(|&slot| words.insert(slot));
        let mut sums = [0_u64; 2];
        words.drain(|word, bits| {
            sums[0] = sums[0].wrapping_add((word as u64) ^ bits.rotate_left(word as u32));
        });
        let by_words = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut roaring = RoaringBitmap::new();
        for &slot in slots {
            roaring.insert(slot);
        }
        let bytes = roaring.serialized_size();
        // The generator takes words: what it reads from the set is gathered into them.
        let (mut word, mut bits) = (0_u32, 0_u64);
        let mut visit = |word: u32, bits: u64| {
            if bits != 0 {
                sums[1] = sums[1].wrapping_add(u64::from(word) ^ bits.rotate_left(word));
            }
        };
        for slot in &roaring {
            if slot / 64 != word {
                visit(word, bits);
                (word, bits) = (slot / 64, 0);
            }
            bits |= 1 << (slot % 64);
        }
        visit(word, bits);
        drop(black_box(roaring));
        let by_roaring = start.elapsed().as_secs_f64();
        good &= sums[0] == sums[1];
        totals = [totals[0] + by_words, totals[1] + by_roaring];
        table.push(vec![
            ply.to_string(),
            slots.len().to_string(),
            format!("{:.5}", slots.len() as f64 / passes.slots as f64),
            words.bytes().to_string(),
            bytes.to_string(),
            format!("{:.0}", 1e6 * by_words),
            format!("{:.0}", 1e6 * by_roaring),
            format!("{:.2}", by_roaring / by_words),
        ]);
    }
    let mut out = std::io::stdout().lock();
    record::head(arguments.format, &mut out)?;
    table.write(&mut out, arguments.format)?;
    if arguments.format == Format::Text {
        let [by_words, by_roaring] = totals;
        writeln!(
            out,
            "all passes: words {by_words:.4} s, roaring {by_roaring:.4} s, ratio {:.2}",
            by_roaring / by_words
        )?;
    }
    Ok(if good { Verdict::Right } else { Verdict::Wrong })
}

/// The frontiers of a table.
struct Passes {
    /// Slots of a side.
    slots: u64,
    /// For each distance in plies the slots that have it, in scattered order.
    by_ply: Vec<Vec<u32>>,
}

fn passes(material: &Material) -> Result<Passes> {
    eprintln!("{material}: solving");
    let table = Store::new(None).with_metric(Metric::Dtm).get(material)?;
    let index = table.index();
    ensure!(u32::try_from(index.len()).is_ok(), "{material} has too many slots for a bitmap of 32 bits");
    let mut by_ply: Vec<Vec<u32>> = Vec::new();
    for &turn in material.stored_turns() {
        for (slot, position) in index.positions(turn, 0..index.len()) {
            if let Some(plies) = table.distance(&position)? {
                let plies = plies as usize;
                by_ply.resize_with(by_ply.len().max(plies + 1), Vec::new);
                by_ply[plies].push(slot as u32);
            }
        }
    }
    for slots in &mut by_ply {
        // A set: with both sides to move a slot may come twice.
        slots.sort_unstable();
        slots.dedup();
        // Knuth's multiplicative hash scatters.
        slots.sort_by_key(|slot| slot.wrapping_mul(2_654_435_769));
    }
    Ok(Passes { slots: index.len(), by_ply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_give_back_what_they_were_given_and_are_empty_then() {
        let mut words = Words::new(5000);
        [4999, 0, 64, 65, 4999].into_iter().for_each(|slot| words.insert(slot));
        let mut found = Vec::new();
        words.drain(|word, bits| found.push((word, bits)));
        assert_eq!(found, [(0, 1), (1, 3), (78, 1 << 7)]);
        words.drain(|_, _| panic!("empty"));
    }

    #[test]
    fn all_decided_positions_are_in_a_pass() {
        let passes = passes(&"KQvK".parse().unwrap()).unwrap();
        assert_eq!(passes.by_ply.len(), 21);
        assert_eq!(passes.by_ply.iter().map(Vec::len).sum::<usize>(), 18_081 + 25_160);
    }
}
