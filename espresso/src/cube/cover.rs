//! Covers: sets of cubes over one space, stored as one vector.

use crate::cube::space::Space;

/// A set of cubes over one [`Space`]; its meaning is the union of their minterms. Order is kept.
///
/// Stored as one vector of words, [`Space::words`] for each cube; memory is the only limit to its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    space: Space,
    words: Vec<u64>,
}

impl Cover {
    /// Returns the empty cover over `space`.
    pub fn new(space: &Space) -> Self {
        Cover { space: space.clone(), words: Vec::new() }
    }

    /// Returns the cover with one cube, the full one.
    pub fn universe(space: &Space) -> Self {
        Cover { space: space.clone(), words: space.full().to_vec() }
    }

    /// Returns the cover whose cubes are the chunks of `words`, in order.
    ///
    /// # Panics
    /// When the length of `words` is not a multiple of [`Space::words`].
    pub fn from_words(space: &Space, words: Vec<u64>) -> Self {
        assert_eq!(words.len() % space.words(), 0, "a whole number of cubes");
        Cover { space: space.clone(), words }
    }

    /// The space that the cubes are over.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Number of cubes.
    pub fn len(&self) -> usize {
        self.words.len() / self.space.words()
    }

    /// Whether there is no cube.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of all cubes, one after the other.
    pub fn as_words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of all cubes.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Cube number `i`.
    pub fn cube(&self, i: usize) -> &[u64] {
        let n = self.space.words();
        &self.words[i * n..(i + 1) * n]
    }

    /// Cube number `i`, to be changed in place.
    pub fn cube_mut(&mut self, i: usize) -> &mut [u64] {
        let n = self.space.words();
        &mut self.words[i * n..(i + 1) * n]
    }

    /// The cubes in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, u64> {
        self.words.chunks_exact(self.space.words())
    }

    /// Appends a cube of [`Space::words`] words.
    ///
    /// # Panics
    /// When it has another number of words, or a bit that is no part of the space.
    pub fn push(&mut self, cube: &[u64]) {
        let full = self.space.full();
        assert!(cube.len() == full.len() && cube.iter().zip(full).all(|(cube, full)| cube & !full == 0));
        self.words.extend_from_slice(cube);
    }

    /// Appends all cubes of `other`.
    ///
    /// # Panics
    /// When it is over another space.
    pub fn extend(&mut self, other: &Cover) {
        assert_eq!(self.space, other.space);
        self.words.extend_from_slice(&other.words);
    }

    /// Returns the cubes of this cover, then those of `other`.
    pub(crate) fn with(&self, other: &Cover) -> Cover {
        let mut both = self.clone();
        both.extend(other);
        both
    }

    /// Returns, in order, the cubes for whose numbers `keep` holds.
    pub(crate) fn chosen(&self, keep: impl Fn(usize) -> bool) -> Cover {
        let words = self.iter().enumerate().filter(|&(i, _)| keep(i)).flat_map(|(_, cube)| cube);
        Cover::from_words(&self.space, words.copied().collect())
    }

    /// Keeps, in order, the cubes for which `keep` holds. `keep` gets the number and the words of each cube.
    pub fn retain(&mut self, keep: impl FnMut(usize, &[u64]) -> bool) {
        retain(&mut self.words, self.space.words(), 0, keep);
    }

    /// Sorts the cubes by their words and drops repeated and empty ones.
    pub fn normalize(&mut self) {
        if self.space.words() == 1 {
            let space = self.space.clone();
            self.words.retain(|&word| !space.is_empty(&[word]));
            self.words.sort_unstable();
            self.words.dedup();
            return;
        }
        let mut order: Vec<&[u64]> = self.iter().filter(|cube| !self.space.is_empty(cube)).collect();
        order.sort_unstable();
        order.dedup();
        self.words = order.concat();
    }

    /// Number of literals of all cubes, counted as in [`Space::literals`].
    pub fn literals(&self) -> usize {
        self.iter().map(|cube| self.space.literals(cube)).sum()
    }

    /// Number of outputs of all cubes together.
    pub fn output_literals(&self) -> usize {
        self.iter().map(|cube| Space::literal_len(self.space.output(), cube)).sum()
    }

    /// Number of literals of the equations, with one sum of products for each output: as in textbooks, the input literals of
    /// a cube count once for each of its outputs.
    ///
    /// # Example
    /// ```
    /// let cover: espresso::Cover = "1-0 11\n--1 10".parse()?;
    /// assert_eq!((cover.literals(), cover.output_literals(), cover.equation_literals()), (6, 3, 5));
    /// # Ok::<(), espresso::Error>(())
    /// ```
    pub fn equation_literals(&self) -> usize {
        let literals = |cube| {
            let outputs = Space::literal_len(self.space.output(), cube);
            (self.space.literals(cube) - outputs) * outputs
        };
        self.iter().map(literals).sum()
    }
}

/// Keeps the cubes of a flat list, from word `from` on, for which `keep` holds. `keep` gets the number of each cube, counted
/// from there, and its words.
pub(crate) fn retain(
    words: &mut Vec<u64>,
    n: usize,
    from: usize,
    mut keep: impl FnMut(usize, &[u64]) -> bool,
) {
    let mut to = from;
    for (i, at) in (from..words.len()).step_by(n).enumerate() {
        if keep(i, &words[at..at + n]) {
            words.copy_within(at..at + n, to);
            to += n;
        }
    }
    words.truncate(to);
}

impl<'a> IntoIterator for &'a Cover {
    type Item = &'a [u64];
    type IntoIter = std::slice::ChunksExact<'a, u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
