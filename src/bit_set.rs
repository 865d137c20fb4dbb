//! Sets of squares or points as the bits of a number: the operations that the sets of all games share.

/// Implements the operations of a set of `$member` for `$set`, a tuple of one number of type `$bits`. A member has bit `index()`,
/// and `$of` returns the member of an index. `$set` must define `EMPTY` and `ALL`.
macro_rules! bit_set {
    ($set:ident($bits:ty), $member:ident = $of:path, $iter:ident) => {
        impl $set {
            /// Whether it has no member.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The number of members.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether `member` is in it.
            #[inline]
            pub const fn contains(self, member: $member) -> bool {
                self.0 >> member.index() & 1 != 0
            }
        }

        impl From<$member> for $set {
            #[inline]
            fn from(member: $member) -> Self {
                $set(1 << member.index())
            }
        }

        impl FromIterator<$member> for $set {
            fn from_iter<I: IntoIterator<Item = $member>>(members: I) -> Self {
                members.into_iter().fold($set::EMPTY, |all, member| all | member)
            }
        }

        impl<T: Into<$set>> core::ops::BitOr<T> for $set {
            type Output = Self;

            #[inline]
            fn bitor(self, other: T) -> Self {
                $set(self.0 | other.into().0)
            }
        }

        impl<T: Into<$set>> core::ops::BitOrAssign<T> for $set {
            #[inline]
            fn bitor_assign(&mut self, other: T) {
                *self = *self | other;
            }
        }

        impl core::ops::BitAnd for $set {
            type Output = Self;

            #[inline]
            fn bitand(self, other: Self) -> Self {
                $set(self.0 & other.0)
            }
        }

        impl core::ops::BitAndAssign for $set {
            #[inline]
            fn bitand_assign(&mut self, other: Self) {
                *self = *self & other;
            }
        }

        impl core::ops::Not for $set {
            type Output = Self;

            #[inline]
            fn not(self) -> Self {
                $set(!self.0 & Self::ALL.0)
            }
        }

        impl IntoIterator for $set {
            type Item = $member;
            type IntoIter = $iter;

            /// The members, ascending.
            #[inline]
            fn into_iter(self) -> $iter {
                $iter(self.0)
            }
        }

        /// The members of a set, ascending.
        #[derive(Clone, Debug)]
        pub struct $iter($bits);

        impl Iterator for $iter {
            type Item = $member;

            #[inline]
            fn next(&mut self) -> Option<$member> {
                let left = self.0;
                self.0 = left & left.wrapping_sub(1);
                (left != 0).then(|| $of(left.trailing_zeros() as u8))
            }
        }

        impl core::fmt::Debug for $set {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_set().entries(self.into_iter().map(|member| alloc::format!("{member}"))).finish()
            }
        }
    };
}

pub(crate) use bit_set;
