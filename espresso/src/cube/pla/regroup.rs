//! Replaces groups of binary inputs by one multi-valued input each, for `.symbolic`.
//!
//! Follows Rudell, *Multiple-Valued Minimization for PLA Synthesis* (1986). The remaining binary inputs come first, then
//! the old multi-valued inputs, then the symbolic ones.

use super::Pla;
use super::header::Group;
use crate::{Cover, Error, ErrorKind, Result, Space, limits};

/// Returns the PLA with these groups of binary inputs as multi-valued inputs. Part p is value p; the first member of a group
/// is its highest bit.
pub(super) fn regroup(pla: Pla, symbolic: &[Group]) -> Result<Pla> {
    if symbolic.is_empty() {
        return Ok(pla);
    }
    let old = pla.space().clone();
    let binary = old.binary_inputs();
    let mut is_left = vec![true; binary];
    symbolic.iter().flat_map(|group| &group.members).for_each(|&member| is_left[member] = false);
    let left: Vec<usize> = (0..binary).filter(|&v| is_left[v]).collect();
    let multi = &old.variables()[binary..old.inputs()];
    let parts = multi.iter().map(|variable| variable.parts);
    let parts: Vec<usize> = parts.chain(symbolic.iter().map(|group| 1 << group.members.len())).collect();
    let new = Space::new(left.len(), &parts, old.outputs())?;
    let rows = pla.on.len() + pla.dc.len() + pla.off.len();
    let bytes = 8 * rows as u64 * new.words() as u64;
    if limits::available_memory(0).is_some_and(|available| bytes > available / 2) {
        let message = "the rows with symbolic inputs do not fit into the available memory";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let convert = |cover: &Cover| {
        let mut converted = Cover::new(&new);
        for cube in cover {
            let inputs = left.iter().copied().chain(binary..old.inputs()).zip(0..);
            let mut to = old.moved(cube, &new, inputs.chain([(old.inputs(), new.inputs())]));
            for (i, group) in symbolic.iter().enumerate() {
                let v = left.len() + multi.len() + i;
                values(&old, cube, &group.members).into_iter().for_each(|value| new.set(&mut to, v, value));
            }
            converted.push(&to);
        }
        converted
    };
    let names = symbolic.iter().map(|group| group.names.clone());
    let part_labels: Vec<Vec<String>> = pla.part_labels.iter().cloned().chain(names).collect();
    let input_labels = pla.input_labels.as_ref();
    let input_labels = input_labels.map(|labels| left.iter().map(|&v| labels[v].clone()).collect::<Vec<_>>());
    let [on, dc, off] = [&pla.on, &pla.dc, &pla.off].map(convert);
    let input_labels = input_labels.filter(|labels| !labels.is_empty());
    Ok(Pla { on, dc, off, input_labels, part_labels, ..pla })
}

/// The values of the binary inputs `members` that a cube allows.
fn values(space: &Space, cube: &[u64], members: &[usize]) -> Vec<usize> {
    members.iter().fold(vec![0], |values, &member| {
        let allowed = || space.variables()[member].parts_in(cube);
        values.iter().flat_map(|value| allowed().map(move |part| value * 2 + part)).collect()
    })
}
