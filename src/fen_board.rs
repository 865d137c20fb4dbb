//! The fields of a FEN, and the first of them, the men on the board, for the boards of all games.

use crate::error::{plural, quoted};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The fields of a FEN. Addresses of web pages have underscores in place of blanks.
pub(crate) fn fields(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|letter: char| letter.is_whitespace() || letter == '_').filter(|field| !field.is_empty())
}

/// The size of a board, and its words in messages.
pub(crate) struct FenBoard {
    /// The number of files, at most 9.
    pub(crate) files: u8,
    /// The number of ranks.
    pub(crate) ranks: u8,
    /// The number of the lowest rank in messages.
    pub(crate) first_rank: u8,
    /// "square" or "point".
    pub(crate) place: &'static str,
}

impl FenBoard {
    /// Calls `put` with the file, the rank and the man of each letter, from the highest rank down. `None` if the field has
    /// another form: see [`FenBoard::fault`].
    #[inline]
    pub(crate) fn read<M>(
        &self,
        field: &str,
        man: impl Fn(char) -> Option<M>,
        mut put: impl FnMut(u8, u8, M),
    ) -> Option<()> {
        let (mut rank, mut file, mut last) = (self.ranks - 1, 0, b'/');
        for letter in field.bytes() {
            match letter {
                b'/' if file == self.files && rank > 0 => (rank, file) = (rank - 1, 0),
                b'1'..=b'9' if !last.is_ascii_digit() => file += letter - b'0',
                // Bytes beyond ASCII are no man either.
                _ if file < self.files => {
                    put(file, rank, man(letter.into())?);
                    file += 1;
                }
                _ => return None,
            }
            last = letter;
        }
        (rank == 0 && file == self.files).then_some(())
    }

    /// Returns what is wrong with a field that [`FenBoard::read`] refuses.
    #[cold]
    pub(crate) fn fault(&self, field: &str, is_man: impl Fn(char) -> bool) -> String {
        let FenBoard { files, ranks, first_rank, place } = *self;
        let found = field.split('/').count();
        if found != usize::from(ranks) {
            return format!("the board {} has {found} rank{}, not {ranks}", quoted(field), plural(found));
        }
        for (text, rank) in field.split('/').zip((first_rank..first_rank + ranks).rev()) {
            let wrong = |what: String| format!("rank {rank}, {}, {what}", quoted(text));
            let (mut places, mut last) = (0, '/');
            for letter in text.chars() {
                let number = letter.to_digit(10).filter(|number| (1..=files.into()).contains(number));
                if number.is_some() && last.is_ascii_digit() {
                    return wrong("has two numbers side by side".to_string());
                }
                if number.is_none() && !is_man(letter) {
                    return wrong(format!("holds {}, which is no man", quoted(&letter.to_string())));
                }
                places += number.unwrap_or(1);
                if places > files.into() {
                    return wrong(format!("has more than {files} {place}s"));
                }
                last = letter;
            }
            if places < files.into() {
                return wrong(format!("has {places} {place}{}, not {files}", plural(places as usize)));
            }
        }
        format!("the board {}", quoted(field))
    }

    /// Returns the field of a board. `letter` returns the letter of the man on a file and rank.
    pub(crate) fn write(&self, letter: impl Fn(u8, u8) -> Option<char>) -> String {
        let rank = |rank| (0..self.files).map(|file| letter(file, rank).unwrap_or('1')).collect::<String>();
        let mut field = (0..self.ranks).rev().map(rank).collect::<Vec<_>>().join("/");
        for empty in (2..=self.files.into()).rev() {
            field = field.replace(&"1".repeat(empty), &empty.to_string());
        }
        field
    }
}
