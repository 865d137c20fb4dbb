//! Lists of names after a keyword of a PLA, which may continue on the following lines.

use crate::error::counted;

/// The owner of the names in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The binary inputs.
    Inputs,
    /// The outputs.
    Outputs,
    /// The parts of an input, by its number among all variables.
    Parts(usize),
    /// Binary inputs or outputs that become symbolic; after a semicolon, the names of the values.
    Symbolic {
        /// Whether the list has outputs; otherwise it has binary inputs.
        outputs: bool,
    },
}

/// Whether a byte can be in a row without symbolic columns.
pub(super) fn is_of_row(byte: u8) -> bool {
    b"01-234~?|".contains(&byte) || byte.is_ascii_whitespace()
}

/// A list that is being read.
pub(super) struct List {
    pub target: Target,
    pub keyword: String,
    /// The line of the keyword.
    pub line: usize,
    /// The expected number of names; a symbolic list ends with its second semicolon instead.
    pub wanted: usize,
    pub names: Vec<String>,
    /// The members of a symbolic list, once the first semicolon has been read.
    pub members: Option<Vec<usize>>,
}

impl List {
    /// Returns an empty list for `.keyword` in line `line`.
    pub fn new(target: Target, keyword: &str, line: usize, wanted: usize) -> Self {
        let keyword = keyword.to_owned();
        List { target, keyword, line, wanted, names: Vec::new(), members: None }
    }

    /// Whether the next line, `line`, continues the list and is not a row.
    pub fn goes_on(&self, line: &[u8]) -> bool {
        match self.target {
            Target::Symbolic { .. } => true,
            _ => self.names.len() < self.wanted && !line.iter().all(|&byte| is_of_row(byte)),
        }
    }

    /// The message if the list has too few names.
    pub fn shortage(&self) -> Option<String> {
        let what = match self.target {
            Target::Inputs => "input",
            Target::Outputs => "output",
            Target::Parts(_) => "part",
            Target::Symbolic { .. } => return None,
        };
        let given = self.names.len();
        let List { keyword, wanted, .. } = self;
        (given < *wanted).then(|| format!("`.{keyword}` names {given} of {}", counted(*wanted, what)))
    }
}
