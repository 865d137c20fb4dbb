//! Bytes of a file, shared and not copied.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, Range};

/// A range of shared bytes, which live as long as any range of them.
#[derive(Clone)]
pub(crate) struct Bytes {
    all: Arc<Cow<'static, [u8]>>,
    range: Range<usize>,
}

impl Bytes {
    /// The bytes in `range`, which counts from the start of `self`.
    ///
    /// # Panics
    /// When the range goes beyond the end.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len(), "a part of the bytes");
        let start = self.range.start;
        Bytes { all: Arc::clone(&self.all), range: start + range.start..start + range.end }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.all[self.range.clone()]
    }
}

impl From<Cow<'static, [u8]>> for Bytes {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        let range = 0..bytes.len();
        Bytes { all: Arc::new(bytes), range }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Cow::<'static, [u8]>::from(bytes).into()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_outlive_the_whole() {
        let all = Bytes::from(vec![1, 2, 3, 4, 5]);
        let part = all.part(1..4);
        drop(all);
        assert_eq!(
            (&part[..], &part.part(2..3)[..], &part.part(3..3)[..]),
            (&[2, 3, 4][..], &[4][..], &[][..])
        );
        let text: Cow<'static, [u8]> = Cow::Borrowed(b"text");
        assert_eq!(&Bytes::from(text)[..], b"text");
    }
}
