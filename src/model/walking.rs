//! Walking: where a king or a knight gets by several moves over squares that its foes do not attack, everything else
//! standing still.

use super::measure::{holds, king_steps, knight_steps};
use super::plan::{Family, Over};
use super::view::View;
use crate::position::{MAX_MEN, Man, Role};

/// The part of a man that the walk does not come to attack, and the most steps told apart below it.
const NEVER: u8 = 14;

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "walk",
        parts: NEVER + 1,
        over: Over::Ordered(|a, b| walks(a) && (a.role == Role::Knight || b.role != Role::King)),
        formula: |view, [a, b, _]| view.walk(a).steps[b % MAX_MEN],
    },
    Family {
        name: "roam",
        parts: 16,
        over: Over::Man(walks),
        formula: |view, [a, ..]| view.walk(a).two_steps,
    },
    Family {
        name: "range",
        parts: 16,
        over: Over::Man(walks),
        formula: |view, [a, ..]| view.walk(a).three_steps,
    },
];

fn walks(man: Man) -> bool {
    matches!(man.role, Role::King | Role::Knight)
}

/// What comes of walking: the steps after which the walker stands where it attacks each man, from 0, at most
/// [`NEVER`]; how many squares it reaches by at most two steps, and half of how many by at most three, its own not
/// counted, each at most 15.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walk {
    steps: [u8; MAX_MEN],
    two_steps: u8,
    three_steps: u8,
}

impl Walk {
    /// The walk of man number `walker`, a king or a knight, whose first step too is taken as if its side were to move.
    pub(super) fn new(view: &View<'_>, walker: usize) -> Self {
        let man = view.man(walker);
        let start = view.square(walker).bit();
        let ground = !view.danger(walker) & !view.men_of(man.color);
        let further = |from| if man.role == Role::King { king_steps(from) } else { knight_steps(from) };
        let mut walk = Walk { steps: [NEVER; MAX_MEN], ..Walk::default() };
        let (mut reached, mut edge, mut left) = (start, start, view.occupied() & !start);
        for step in 0.. {
            let seen = further(edge);
            if seen & left != 0 && step < NEVER {
                for (steps, &square) in walk.steps.iter_mut().zip(view.squares()) {
                    if holds(seen & left, square) {
                        *steps = step;
                    }
                }
                left &= !seen;
            }
            edge = seen & ground & !reached;
            reached |= edge;
            let count = (reached & !start).count_ones() as u8;
            if step < 2 {
                walk.two_steps = count.min(15);
            }
            if step < 3 {
                walk.three_steps = (count / 2).min(15);
            }
            if edge == 0 {
                break;
            }
        }
        walk
    }
}
