//! Names in a PLA: of inputs, outputs and parts, and of symbolic variables and their values.

use super::header::{Cursor, Group, Header, MAX_COLUMNS, Problem, digits, shown, too_large};
use super::lists::{List, Target};
use super::rows::decoded;

impl Header {
    /// Begins a list, with the names in the rest of the line.
    pub fn begin(
        &mut self,
        cursor: &mut Cursor<'_>,
        dot: usize,
        target: Target,
        keyword: &str,
        wanted: usize,
    ) -> Result<(), Problem> {
        let is_known = match target {
            Target::Inputs => self.input_labels.is_some(),
            Target::Outputs => self.output_labels.is_some(),
            Target::Parts(v) => self.part_labels.contains_key(&v),
            Target::Symbolic { .. } => false,
        };
        // Without this check, each repeated list would cost a pass over all columns.
        if is_known {
            return Err(Problem::syntax(dot, format!("these names of `.{keyword}` were given before")));
        }
        self.list = Some(List::new(target, keyword, self.line, wanted));
        self.more_names(cursor)
    }

    /// Reads more names of the current list from the rest of the line. A comment may follow them.
    pub fn more_names(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        let Some(mut list) = self.list.take() else { return Ok(()) };
        let mut is_over = false;
        while let Some((at, word)) = cursor.word() {
            let is_full = list.names.len() >= list.wanted;
            let Target::Symbolic { outputs } = list.target else {
                if word == b"#" || is_full && word[0] == b'#' {
                    self.comments.push(cursor.rest(at));
                    break;
                }
                if is_full {
                    let what = format!(
                        "`.{}` gives more names than {}: the others are ignored",
                        list.keyword, list.wanted
                    );
                    self.warn(self.line, &what);
                    break;
                }
                list.names.push(decoded(word));
                continue;
            };
            match (word, &mut list.members) {
                (b";", Some(_)) => {
                    is_over = true;
                    break;
                }
                (b";", members) => {
                    let named = list.names.drain(..).map(|name| self.member(name.as_bytes(), outputs));
                    let named = named.collect::<Result<Vec<_>, _>>();
                    *members = Some(named.map_err(|message| Problem::syntax(at, message))?);
                }
                _ => list.names.push(decoded(word)),
            }
        }
        if is_over {
            self.end_list(list)
        } else {
            cursor.at = cursor.line.len();
            self.list = Some(list);
            Ok(())
        }
    }

    /// Ends the current list, if there is one.
    pub fn end_names(&mut self) -> Result<(), Problem> {
        match self.list.take() {
            // A complete symbolic list has already ended, at its second semicolon.
            Some(List { target: Target::Symbolic { .. }, keyword, line, .. }) => {
                let message =
                    format!("the list of `.{keyword}` in line {line} does not end with a second `;`");
                Err(Problem::syntax(0, message))
            }
            Some(list) => self.end_list(list),
            None => Ok(()),
        }
    }

    fn end_list(&mut self, mut list: List) -> Result<(), Problem> {
        if let Some(shortage) = list.shortage() {
            self.warn(list.line, &shortage);
        }
        let given = list.names.len();
        let made_up: Vec<String> = (given..list.wanted).map(|i| self.made_up(list.target, i)).collect();
        let mut names = std::mem::take(&mut list.names);
        names.extend(made_up);
        match list.target {
            Target::Inputs => self.input_labels = Some(names).filter(|names| !names.is_empty()),
            Target::Outputs => self.output_labels = Some(names),
            Target::Parts(v) if v < self.sizes(0, "label")?.0 => {
                let inputs = self.sizes(0, "label")?.0;
                let all =
                    self.input_labels.get_or_insert_with(|| (0..inputs).map(|i| format!("v{i}")).collect());
                all[v] = names.pop().unwrap_or_default();
            }
            Target::Parts(v) => {
                self.part_labels.insert(v, names);
            }
            Target::Symbolic { outputs } => {
                let members = list.members.unwrap_or_default();
                if members.is_empty()
                    || 1usize.checked_shl(members.len() as u32).is_none_or(|n| n > MAX_COLUMNS)
                {
                    return Err(too_large(0));
                }
                let mut sorted = members.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let others = if outputs { &self.symbolic_outputs } else { &self.symbolic };
                let is_used = |member| others.iter().any(|group| group.members.contains(member));
                if sorted.len() < members.len() || members.iter().any(is_used) {
                    let what = if outputs { "output" } else { "input" };
                    return Err(Problem::syntax(0, format!("`.{}` takes an {what} twice", list.keyword)));
                }
                let values = 1 << members.len();
                self.values += values;
                if self.values > MAX_COLUMNS {
                    return Err(too_large(0));
                }
                names.truncate(values);
                names.extend((names.len()..values).map(|value| format!("X{value}")));
                let groups = if outputs { &mut self.symbolic_outputs } else { &mut self.symbolic };
                groups.push(Group { members, names });
            }
        }
        Ok(())
    }

    /// The generated name for number `i` of a list, as in Berkeley's program.
    fn made_up(&self, target: Target, i: usize) -> String {
        let (binary, multi) = match &self.multi {
            Some(multi) => (multi.binary, multi.parts.len() - 1),
            None => (self.inputs.unwrap_or(0), 0),
        };
        match target {
            Target::Outputs => format!("v{}.{i}", binary + multi),
            Target::Parts(v) if v >= binary => format!("v{v}.{i}"),
            _ => format!("v{i}"),
        }
    }

    /// The number of a binary input or output, given by name or by number from zero.
    pub fn member(&self, word: &[u8], outputs: bool) -> Result<usize, String> {
        let (inputs, count) = self.sizes(0, "symbolic").map_err(|problem| problem.message)?;
        let (labels, count, what) = if outputs {
            (&self.output_labels, count, "output")
        } else {
            (&self.input_labels, inputs, "binary input")
        };
        let name = decoded(word);
        let named = labels.as_ref().and_then(|labels| labels.iter().position(|label| *label == name));
        named
            .or_else(|| digits(word).filter(|&number| number < count))
            .ok_or_else(|| format!("there is no {what} `{}`", shown(word)))
    }
}
