//! The representations by name: how each is made of an outcome table, and how its bytes are opened to answer.

use crate::cells::{Answer, Made};
use crate::diagram::Diagram;
use crate::{arrays, clauses, dag, mtbdd};
use anyhow::Result;
use clap::ValueEnum;
use cubebase::chess::retrograde::Table;
use cubebase::compare::syzygy::Syzygy;
use cubebase::{Material, Model, Position, Prober, Wdl};
use std::path::PathBuf;

/// A representation, in the order in which they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Two bits for each placement of the men.
    Array,
    /// Two bits for each slot of the generator's index.
    Index,
    /// The same in blocks of 64 KiB, each compressed by zstd.
    Blocks,
    /// A static function of outcomes alone.
    Ribbon,
    /// The published files, read by the library's reader.
    Syzygy,
    /// A decision diagram with a level of 64 branches a man.
    Dag,
    /// A multi-terminal binary decision diagram over the paper's bits.
    MtbddBinary,
    /// The same over files of all men, then ranks.
    MtbddBoard,
    /// Two-level logic as the paper has it: three covers, zstd.
    TwoLevel,
    /// Our trees over files and ranks.
    Board,
    /// The same over files, ranks and the relative squares of each two men.
    Geometry,
    /// The smallest of these and of trees over attacks, lines, distances and the paths of pawns too.
    Auto,
}

/// The settings of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub syzygy: Vec<PathBuf>,
    /// The effort of our minimizers, 1 to 4.
    pub effort: u8,
    /// Random positions of a warm pass.
    pub positions: u32,
}

impl Kind {
    /// The name in records and on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    pub fn make(self, table: &Table, settings: &Settings) -> Result<Made> {
        let models: &[Model] = match self {
            Kind::Array => return Ok(arrays::by_squares(table)),
            Kind::Index => return Ok(arrays::by_index(table)),
            Kind::Blocks => return arrays::in_blocks(table),
            Kind::Ribbon => return clauses::static_function(table),
            Kind::Syzygy => return clauses::syzygy(table.material(), &settings.syzygy),
            Kind::Dag => return dag::make(table),
            Kind::MtbddBinary => return mtbdd::make(table, &mtbdd::binary_order(table.material().len())),
            Kind::MtbddBoard => return mtbdd::make(table, &mtbdd::board_order(table.material().len())),
            Kind::TwoLevel => return clauses::two_level(table),
            Kind::Board => &[Model::Board],
            Kind::Geometry => &[Model::Geometry],
            Kind::Auto => &[Model::Board, Model::Geometry, Model::Attack],
        };
        clauses::ours(table, models, settings.effort)
    }

    /// Opens the bytes that [`Kind::make`] returned.
    pub fn open(self, bytes: &[u8], material: &Material, settings: &Settings) -> Result<Box<dyn Answer>> {
        Ok(match self {
            Kind::Array => Box::new(arrays::BySquares::new(bytes.to_vec(), material)),
            Kind::Index => Box::new(arrays::ByIndex::new(bytes.to_vec(), material)),
            Kind::Blocks => Box::new(arrays::ByIndex::new(arrays::Blocks::open(bytes)?, material)),
            Kind::Syzygy => Box::new(Syzygy::open(&settings.syzygy, &[*material])?),
            Kind::Dag | Kind::MtbddBinary | Kind::MtbddBoard => Box::new(Diagram::open(bytes)?),
            Kind::Ribbon | Kind::TwoLevel | Kind::Board | Kind::Geometry | Kind::Auto => {
                Box::new(Prober::decode(bytes)?)
            }
        })
    }
}

impl Answer for Prober {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        self.probe_unchecked(position)
    }
}

impl Answer for Syzygy {
    fn answer(&self, position: &Position) -> cubebase::Result<Wdl> {
        self.wdl(position)
    }
}
