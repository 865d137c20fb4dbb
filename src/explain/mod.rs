//! Explanations of answers for people: the clause that decides a position, in words and pictures.
//!
//! A [`BoardExplanation`] describes the board as the user gave it, not its canonical image, for which the clauses are written. It
//! is not a reason in the chess sense: impossible positions are don't-cares, so a clause may be short by accident. Its outcome
//! is certain all the same: every legal position that the clause decides has it, except for the exceptions in the table.
//!
//! | file | content |
//! |---|---|
//! | `explanation` | [`Explanation`]: the clause that decided a probe, about the canonical position |
//! | `deciding`, `position_counter` | methods of probers and tables: the clause that decides, and the number of its positions |
//! | `board_transform` | the transform from the canonical position to the user's board |
//! | `numbers` | sets of numbers in words |
//! | `families` | the variables of each family in words |
//! | `conditions` | [`Condition`]: a literal as a sentence, with the position's own value |
//! | `ranking` | the rules of a ranking: the conditions of each leaf, and its levels |
//! | `text`, `json`, `svg` | a certificate for a terminal, for programs, and as a drawing |
//!
//! Free: no file depends on the words and pictures.

mod board_transform;
pub(crate) mod conditions;
mod deciding;
#[cfg(test)]
mod deciding_tests;
#[cfg(test)]
mod example_tests;
mod explanation;
pub(crate) mod families;
pub(crate) mod json;
pub(crate) mod numbers;
mod position_counter;
mod ranking;
mod svg;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use conditions::Condition;
pub use explanation::{ClauseSquares, Decision, Explanation, Literal, RuleDecision};
pub use position_counter::{Coverage, PositionCounter};
pub use ranking::{RankingRule, RankingRules};
pub use text::Style;

use crate::chess::position::{Bitboard, CastlingRights, Color, Fen, Man, Material, Position, Square, Wdl};
use crate::error::Result;
use crate::fen_board::fields;
use crate::probe::Tables;
use board_transform::BoardTransform;
use conditions::{ConditionWriter, line_names, role_name};

/// The clause that decides a position, in terms of the board that the user gave.
///
/// # Example
/// ```
/// # #[cfg(feature = "embedded")] {
/// use cubebase::{Tables, Wdl, explain::BoardExplanation};
///
/// let tables = Tables::embedded()?;
/// let certificate = BoardExplanation::of_fen(&tables, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")?;
/// assert_eq!(certificate.outcome(), Wdl::Draw);
/// for condition in &certificate.conditions {
///     println!("{}: {}", condition.sentence, condition.value);
/// }
/// # }
/// # Ok::<(), cubebase::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardExplanation {
    /// The position, with one space between the fields.
    pub fen: String,
    /// The side to move on the user's board.
    pub turn: Color,
    /// The castling rights on the user's board. The clause is about the position without them.
    pub castling: CastlingRights,
    /// The decision about the canonical position.
    pub explanation: Explanation,
    /// The literals of the clause in words; for a leaf in the order of the tests on its path.
    pub conditions: Vec<Condition>,
    /// The board orientation for conditions with [`Condition::is_turned`], as a sentence; `None` if there are none.
    pub orientation: Option<String>,
    /// The men, in the numbering of the canonical position.
    pub men: Vec<PlacedMan>,
    /// The number of positions that the clause holds for, if counted: see [`Tables::position_counter`].
    pub coverage: Option<Coverage>,
}

/// A man on the user's board, and the squares where it may stand.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlacedMan {
    /// Its colour and role.
    pub man: Man,
    /// Its square.
    pub square: Square,
    /// Its name in the conditions: "the white rook", with its square if there are several.
    pub name: String,
    /// The squares, its own included, on which it may stand, the other men unmoved, so that the same clause decides.
    pub squares: ClauseSquares,
}

impl BoardExplanation {
    /// Returns the certificate of the position of a FEN.
    ///
    /// # Errors
    /// Those of [`Position::from_fen`] and [`Tables::explain`].
    pub fn of_fen(tables: &Tables, fen: &str) -> Result<Self> {
        let read = Fen::parse(fen)?;
        let (turn, numbers) = (read.turn, read.numbers);
        let certificate = Self::of_position(tables, &read.position()?, turn)?;
        // These fields have no character that JSON or XML would escape.
        let fen = fields(fen).take(4).chain(numbers.into_iter().flatten()).collect::<Vec<_>>().join(" ");
        Ok(BoardExplanation { fen, ..certificate })
    }

    /// Returns the certificate of a position read from a board with `turn` to move. If `turn` is not the position's own side to
    /// move, the board was read with the colours exchanged, as it is when Black is the stronger side.
    ///
    /// # Errors
    /// Those of [`Tables::explain`].
    pub fn of_position(tables: &Tables, position: &Position, turn: Color) -> Result<Self> {
        let is_exchanged = turn != position.turn();
        let explanation = tables.explain(position)?;
        let canonical = explanation.canonical;
        let transform = BoardTransform::find(position, is_exchanged, &canonical)?;
        let variables = explanation.model.variable_set(canonical.material());
        let writer = ConditionWriter::new(&variables, &canonical, transform);
        let conditions: Vec<Condition> =
            explanation.literals.iter().map(|literal| writer.condition(literal)).collect();
        let sets = tables.clause_squares(&canonical)?;
        let moved = |set: Bitboard| set.into_iter().map(|square| transform.square(square)).collect();
        let men = canonical.placed().zip(sets).enumerate().map(|(number, ((man, square), set))| PlacedMan {
            man: transform.man(man),
            square: transform.square(square),
            name: writer.name(number).into(),
            squares: ClauseSquares { all: moved(set.all), exceptions: moved(set.exceptions) },
        });
        let men = men.collect();
        let is_turned = conditions.iter().any(|condition| condition.is_turned);
        let orientation =
            is_turned.then(|| orientation_of(&canonical, &writer, explanation.anchor, transform));
        let fen = position.fen_of_colors(is_exchanged);
        let rights = position.castling();
        let castling = if is_exchanged { rights.exchanged() } else { rights };
        Ok(BoardExplanation {
            fen,
            turn,
            castling,
            explanation,
            conditions,
            orientation,
            men,
            coverage: None,
        })
    }

    /// The outcome for the side to move.
    pub fn outcome(&self) -> Wdl {
        self.explanation.outcome
    }

    /// The material of the table.
    pub fn material(&self) -> &Material {
        self.explanation.canonical.material()
    }

    /// Whether the position is an exception of the clause.
    pub fn is_exception(&self) -> bool {
        matches!(self.explanation.decision, Decision::Leaf { exception: true, .. })
    }

    /// The outcome that the clause states for the side to move: [`Explanation::without_castling`] unless the position is an
    /// exception.
    pub fn stated(&self) -> Wdl {
        match self.explanation.decision {
            Decision::Leaf { stated, .. } => stated,
            Decision::Clause { .. } => self.explanation.without_castling,
        }
    }
}

/// The board orientation for which the conditions about files and ranks hold, as a sentence: the canonical image has its
/// anchor in one region of the board.
fn orientation_of(
    canonical: &Position,
    writer: &ConditionWriter,
    anchor: usize,
    transform: BoardTransform,
) -> String {
    let man = canonical.material().men()[anchor];
    let is_one_of_several = canonical.material().men().iter().filter(|&&other| other == man).count() > 1;
    let Man { color, role } = transform.man(man);
    let name = if is_one_of_several {
        format!("one of the {} {}s", color.name(), role_name(role))
    } else {
        writer.name(anchor).into()
    };
    if canonical.material().has_pawns() {
        let files = line_names((0..4).map(|file| transform.file(file)));
        format!("left and right are those of a board with {name} on {files}; other boards are mirrored first")
    } else {
        let [a, b, c] = [(0, 0), (3, 0), (3, 3)].map(|(file, rank)| transform.square(Square::at(file, rank)));
        format!(
            "files and ranks are those of a board with {name} in the triangle {a}-{b}-{c}; other boards are turned or mirrored first"
        )
    }
}
