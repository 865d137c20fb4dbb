//! The clauses of a table of Chinese chess: a tree for each side to move, their file, and answers from them.

use super::frozen::model::{Model, VariableSet};
use super::rows::{TableRows, hash};
use super::{Material, Position, Table, Xiangqi, database_size};
use crate::error::{Error, ErrorKind, Result};
use crate::nodes::{Test, ends};
use crate::outcome::{Color, Wdl};
use crate::pcn::{Leaf, Node, Tree, TreeFile};
use crate::pipeline::{Forecast, Monitor, Options, check, sum_over, tree_of};
use crate::retrograde::{Metric, estimate};

/// The number of the game in files.
const GAME: u8 = 1;

/// The clauses of a table. `Send` and `Sync`; an answer takes no lock.
#[derive(Clone, Debug)]
pub struct Clauses {
    variables: VariableSet,
    table_hash: [u8; 8],
    /// By [`Color::index`].
    trees: [Tree; 2],
    tree_bytes: usize,
    /// For each node of a tree the number of the node after its subtree.
    ends: [Vec<usize>; 2],
}

/// The literals on the path to a leaf, and the leaf's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The outcome for the side to move.
    pub outcome: Wdl,
    /// The canonical image of the position, which the literals are about.
    pub canonical: Position,
    /// The tests on the path, each with the position's part of the test's variable, inside or outside the interval.
    pub tests: Vec<(Test, u8)>,
    /// The number of the leaf, from 0.
    pub leaf: usize,
    /// The outcome of the leaf: `outcome`, unless the position is an exception of the leaf.
    pub stated: Wdl,
}

impl Clauses {
    /// Returns the cost of growing the trees of a material in the largest of `models`.
    pub fn forecast(material: &Material, models: &[Model], options: &Options<'_>) -> Forecast {
        let variables = models.iter().map(|&model| VariableSet::new(model, material).values().len());
        let (most, has_attack) = (variables.max().unwrap_or(0) as u64, models.contains(&Model::Attack));
        let table = estimate::table_bytes::<Xiangqi>(material, Metric::Wdl);
        Forecast::of_trees(table, database_size(material), most, has_attack, options)
    }

    /// Checks that the trees of a material can be grown in each of `models`.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] if it has too many positions, or the memory of `options` is too little for them.
    pub fn check_size(material: &Material, models: &[Model], options: &Options<'_>) -> Result<()> {
        if TableRows::have_numbers(material) {
            return Self::forecast(material, models, options).check(material, options.memory);
        }
        let why = format!("{material}: too many positions for the numbers of rows");
        Err(Error::new(ErrorKind::BudgetExhausted, why))
    }

    /// Grows the trees of `table` in `model`, checks the bytes of their file on every position, and returns the bytes.
    ///
    /// # Errors
    /// Those of [`Clauses::check_size`]; [`ErrorKind::BudgetExhausted`] if exceptions take too much memory;
    /// [`ErrorKind::Cancelled`]; [`ErrorKind::Mismatch`] if an answer is wrong.
    pub fn build(table: &Table, model: Model, options: &Options<'_>) -> Result<Vec<u8>> {
        let variables = VariableSet::new(model, table.material());
        Self::check_size(table.material(), &[model], options)?;
        let tree = |turn| tree_of(&TableRows::new(table, &variables, turn), options);
        let file = TreeFile {
            game: GAME,
            model: (model.id(), model.version()),
            material: table.material().to_string(),
            table_hash: table.hash(),
            trees: [tree(Color::White)?, tree(Color::Black)?],
        };
        let bytes = file.encode(variables.values(), options.codec)?;
        Self::decode(&bytes)?.verify(table, options.progress)?;
        Ok(bytes)
    }

    /// Whether `bytes` begin as a file of another game than chess.
    pub fn are_in(bytes: &[u8]) -> bool {
        TreeFile::is_one(bytes)
    }

    /// Reads the bytes of a file. Any bytes are acceptable.
    ///
    /// # Errors
    /// Those of [`Pcn::decode`](crate::pcn::Pcn::decode); [`ErrorKind::UnsupportedVersion`] for a game that is unknown.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut variables = None;
        let (file, tree_bytes) = TreeFile::decode(bytes, |game, (id, version), name| {
            if game != GAME {
                let why = format!("a .pcn file of the unknown game {game}");
                return Err(Error::new(ErrorKind::UnsupportedVersion, why));
            }
            let model = Model::from_id(id, version)?;
            let wrong = || Error::corrupt(format!("{name:?} is no material of Chinese chess"));
            let material: Material = name.parse().map_err(|_| wrong())?;
            Error::corrupt_unless(material.to_string() == name, || {
                format!("{name:?} in place of {material}")
            })?;
            Ok(variables.insert(VariableSet::new(model, &material)).values().to_vec())
        })?;
        let variables = variables.ok_or_else(|| Error::corrupt("no model"))?;
        let ends = [0, 1].map(|side| ends(file.trees[side].nodes()));
        Ok(Clauses { variables, table_hash: file.table_hash, trees: file.trees, tree_bytes, ends })
    }

    /// The variables of the literals.
    pub fn variables(&self) -> &VariableSet {
        &self.variables
    }

    /// The material.
    pub fn material(&self) -> &Material {
        self.variables.material()
    }

    /// The hash of the outcome table that the clauses were made from.
    pub fn table_hash(&self) -> [u8; 8] {
        self.table_hash
    }

    /// The bytes of both trees in the file.
    pub fn tree_bytes(&self) -> usize {
        self.tree_bytes
    }

    /// The numbers of clauses, which are the leaves of the trees, and of their literals, for both sides to move.
    pub fn clauses_and_literals(&self) -> (usize, usize) {
        let leaves = self.trees.iter().map(|tree| tree.leaves().count()).sum();
        let literals = self.trees.iter().map(Tree::literals).sum();
        (leaves, literals)
    }

    /// Returns the outcome of a position for its side to move.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] if it is of another material, [`ErrorKind::IllegalPosition`] if it is illegal.
    pub fn probe(&self, position: &Position) -> Result<Wdl> {
        position.check_of(self.material())?;
        Ok(self.decide(position, |_, _| ()).0)
    }

    /// Returns the outcome of a position and the literals that decide it.
    ///
    /// # Errors
    /// Those of [`Clauses::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        position.check_of(self.material())?;
        let mut tests = Vec::new();
        let (outcome, stated, node) = self.decide(position, |test, part| tests.push((test, part)));
        let before = &self.trees[position.turn().index()].nodes()[..node];
        let leaf = before.iter().filter_map(Node::leaf).count();
        Ok(Explanation { outcome, canonical: position.canonical(), tests, leaf, stated })
    }

    /// Walks to the leaf of a legal position. Returns the outcome, the leaf's outcome, and the number of the leaf's node.
    fn decide(&self, position: &Position, mut passed: impl FnMut(Test, u8)) -> (Wdl, Wdl, usize) {
        let canonical = position.canonical();
        let view = self.variables.view(canonical.points());
        let side = position.turn().index();
        let (nodes, ends) = (self.trees[side].nodes(), &self.ends[side]);
        let mut at = 0;
        let Leaf { outcome, exceptions } = loop {
            match nodes[at] {
                Node::Test(test) => {
                    let part = self.variables.value(&view, test.variable.into());
                    passed(test, part);
                    at = if test.contains(part) { at + 1 } else { ends[at + 1] };
                }
                Node::Leaf(leaf) => break leaf,
            }
        };
        let (Some(excepted), function) = (exceptions, self.trees[side].exceptions()) else {
            return (outcome, outcome, at);
        };
        let hash = hash(&canonical);
        if !function.is_exception(hash, excepted.level) {
            return (outcome, outcome, at);
        }
        (excepted.outcome.unwrap_or_else(|| function.either(outcome, hash)), outcome, at)
    }

    /// Compares the answers on every position of `table` with its outcomes. Returns the number of answers.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] with an example; [`ErrorKind::Cancelled`].
    pub fn verify(&self, table: &Table, progress: Monitor<'_>) -> Result<u64> {
        let material = self.material();
        if (table.material(), table.hash()) != (material, self.table_hash) {
            let why = format!("{material}: the clauses are those of another outcome table");
            return Err(Error::new(ErrorKind::Mismatch, why));
        }
        sum_over(table, progress, |_, position, outcome| {
            let (found, ..) = self.decide(position, |_, _| ());
            check("the clauses", found, outcome, material, || position.to_fen()).map(|()| 1)
        })
    }
}
