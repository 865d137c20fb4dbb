//! Bytes of a file that is in memory or mapped, shared and not copied.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;
use core::ops::{Deref, Range};

/// A range of shared bytes, which live as long as any range of them.
#[derive(Clone)]
pub(crate) struct Bytes {
    all: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

impl Bytes {
    /// All bytes of `owner`, whose content must not change.
    pub(crate) fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let range = 0..owner.as_ref().len();
        Bytes { all: Arc::new(owner), range }
    }

    /// The bytes of `range`, relative to the first of these.
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
        &(*self.all).as_ref()[self.range.clone()]
    }
}

impl From<Cow<'static, [u8]>> for Bytes {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        Bytes::new(bytes)
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
        let all = Bytes::new(vec![1, 2, 3, 4, 5]);
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
