//! Chinese chess (xiangqi): points, men, materials, boards, positions, FEN and legal moves.
//!
//! After R. Wu and D. F. Beal, "A Memory Efficient Retrograde Algorithm and Its Application To Chinese Chess Endgames", in
//! More Games of No Chance, MSRI Publications 42, 2002, section 3: the letters of men, the names of materials, the points of each
//! man. Red is [`Color::White`](crate::position::Color::White) and Black is `Color::Black`, so that the rooms which know no
//! game see the same two colours as in chess. Red has ranks 0 to 4 and moves first.

pub mod board;
mod fen;
pub mod man;
pub mod material;
pub mod point;
pub mod position;

pub use board::{Board, Move};
pub use man::{Man, Role};
pub use material::{MAX_MEN, Material};
pub use point::{Point, Points};
pub use position::Position;
