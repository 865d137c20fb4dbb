//! Binary inputs that become one multi-valued input: by `.pair` for two-bit decoders, by `.symbolic` for named values.
//!
//! Follows Rudell, *Multiple-Valued Minimization for PLA Synthesis* (1986). The inputs that are left stand first, then
//! the pairs, then the multi-valued inputs that there were, then the symbolic ones.

use super::Pla;
use super::header::Group;
use crate::{Cover, Error, ErrorKind, Result, Space, limits};

/// Binary inputs that become one variable: its parts are the values of the inputs, the first of them the highest bit.
struct Joined<'a> {
    members: &'a [usize],
    /// Whether part p is the complement of value p: the line of a decoder that is low for it.
    is_decoder: bool,
}

/// Returns the PLA with these pairs and groups of binary inputs as multi-valued inputs.
pub(super) fn regroup(pla: Pla, pairs: &[[usize; 2]], symbolic: &[Group]) -> Result<Pla> {
    if pairs.is_empty() && symbolic.is_empty() {
        return Ok(pla);
    }
    let old = pla.space().clone();
    let binary = old.binary_inputs();
    let joined: Vec<Joined> = pairs
        .iter()
        .map(|pair| Joined { members: pair, is_decoder: true })
        .chain(symbolic.iter().map(|group| Joined { members: &group.members, is_decoder: false }))
        .collect();
    let mut is_left = vec![true; binary];
    joined.iter().flat_map(|joined| joined.members).for_each(|&member| is_left[member] = false);
    let left: Vec<usize> = (0..binary).filter(|&v| is_left[v]).collect();
    let multi = &old.variables()[binary..old.inputs()];
    let sizes = |joined: &[Joined]| joined.iter().map(|joined| 1 << joined.members.len()).collect::<Vec<_>>();
    let (decoders, groups) = joined.split_at(pairs.len());
    let parts: Vec<usize> =
        [sizes(decoders), multi.iter().map(|variable| variable.parts).collect(), sizes(groups)].concat();
    let new = Space::new(left.len(), &parts, old.outputs())?;
    let rows = pla.on.len() + pla.dc.len() + pla.off.len();
    let bytes = 8 * rows as u64 * new.words() as u64;
    if limits::available_memory(0).is_some_and(|available| bytes > available / 2) {
        let message = "the rows with symbolic inputs do not fit into the memory that is left";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let convert = |cover: &Cover| {
        let mut converted = Cover::new(&new);
        for cube in cover {
            let mut to = vec![0; new.words()];
            let mut copy = |from: usize, v: usize| {
                let kept = (0..old.variables()[from].parts).filter(|&part| old.get(cube, from, part));
                kept.for_each(|part| new.set(&mut to, v, part));
            };
            left.iter().enumerate().for_each(|(v, &from)| copy(from, v));
            (0..multi.len()).for_each(|i| copy(binary + i, left.len() + pairs.len() + i));
            copy(old.inputs(), new.inputs());
            for (i, joined) in joined.iter().enumerate() {
                let v = left.len() + if i < pairs.len() { i } else { multi.len() + i };
                for value in values(&old, cube, joined.members) {
                    let parts = new.variables()[v].parts;
                    new.set(&mut to, v, if joined.is_decoder { parts - 1 - value } else { value });
                }
            }
            converted.push(&to);
        }
        converted
    };
    let name =
        |v: usize| pla.input_labels.as_ref().map_or_else(|| format!("v{v}"), |labels| labels[v].clone());
    let sum = |&[a, b]: &[usize; 2]| {
        let [(a, not_a), (b, not_b)] = [a, b].map(name).map(|name| (name.clone(), name + ".bar"));
        vec![format!("{not_a}+{not_b}"), format!("{not_a}+{b}"), format!("{a}+{not_b}"), format!("{a}+{b}")]
    };
    let part_labels: Vec<Vec<String>> = pairs
        .iter()
        .map(sum)
        .chain(pla.part_labels.iter().cloned())
        .chain(symbolic.iter().map(|group| group.names.clone()))
        .collect();
    let input_labels = pla.input_labels.as_ref().map(|_| left.iter().map(|&v| name(v)).collect::<Vec<_>>());
    let [on, dc, off] = [&pla.on, &pla.dc, &pla.off].map(convert);
    let input_labels = input_labels.filter(|labels| !labels.is_empty());
    Ok(Pla { on, dc, off, input_labels, part_labels, ..pla })
}

/// The values of the binary inputs `members` that a cube allows.
fn values(space: &Space, cube: &[u64], members: &[usize]) -> Vec<usize> {
    members.iter().fold(vec![0], |values, &member| {
        let allowed: Vec<usize> = (0..2).filter(|&part| space.get(cube, member, part)).collect();
        values.iter().flat_map(|value| allowed.iter().map(move |part| value * 2 + part)).collect()
    })
}
