//! A forecast of minimizing a table: memory, time, and the length of its file.
//!
//! The least memory is what is refused otherwise, and the most an upper bound; time and length are guesses from means for a
//! slot, of trees at efforts 1 to 5. Tables differ more than their sizes do: one that is drawn or won throughout takes a tenth
//! of the guess, one that wins by long ways ten times as much, and its file likewise.

use super::Options;
use super::memory;
use crate::error::Result;
use crate::model::Model;
use crate::position::Material;
use crate::retrograde::estimate::slots;

/// The cost of minimizing one table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// Memory in bytes with which it is refused if there is less, the outcome table apart.
    pub least_bytes: u64,
    /// Memory in bytes that it takes if there is as much, the outcome table apart.
    pub most_bytes: u64,
    /// Processor time in seconds: a guess. `None` where nothing was measured: for covers and efforts above 5.
    pub cpu_seconds: Option<f64>,
    /// Length of the file in bytes: a guess. `None` likewise.
    pub file_bytes: Option<u64>,
}

/// Processor time in seconds for a slot. All 36 tables of up to four men, 194 million slots, took 905 s at effort 1 and 1,656
/// s at effort 5 over all models, and with `geometry` alone some half of that. Where not all rows are held most variables of
/// most rows are never computed: 74 tables of five men took a microsecond a slot at effort 1 on a busy machine, the nine of them
/// with pawns made last 0.9, and those at effort 5 one to four.
fn seconds(slots: f64, options: &Options<'_>) -> f64 {
    let share = if options.models.contains(&Model::Attack) { 1.0 } else { 0.5 };
    let [first, each] = if slots > memory::HELD as f64 * 2.0 { [0.5e-6, 0.4e-6] } else { [3.7e-6, 0.97e-6] };
    share * (first + each * f64::from(options.effort))
}

/// Bytes of the file for a slot: all tables of four men have 0.0006, 74 tables of five men three times as many.
fn bytes(material: &Material) -> f64 {
    if material.len() > 4 { 0.002 } else { 0.0006 }
}

/// Returns what minimizing the table of `material` takes.
///
/// # Errors
/// Those of [`check_memory`](super::check_memory) but for [`ErrorKind::BudgetExhausted`](crate::ErrorKind::BudgetExhausted).
#[allow(clippy::cast_sign_loss, reason = "a product of what is not negative")]
pub fn forecast(material: &Material, options: &Options<'_>) -> Result<Forecast> {
    let slots = slots(material) as f64;
    let is_measured = !memory::uses_covers(options) && options.effort <= 5;
    Ok(Forecast {
        least_bytes: memory::needed(material, options)?,
        most_bytes: memory::wanted(material, options)?,
        cpu_seconds: is_measured.then(|| slots * seconds(slots, options)),
        file_bytes: is_measured.then(|| (slots * bytes(material)).ceil() as u64),
    })
}
