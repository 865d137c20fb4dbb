//! Moves that change the material: captures, promotions, promotions that capture, en-passant captures.
//!
//! They lead from a table to its sub-tables, which are solved first. A child is a position of its own material: its men are
//! renumbered, and its colours are exchanged if Black is then the stronger side. The renumberings are computed once for
//! each material, so that a move only copies squares.

use crate::chess::position::{Color, MAX_MEN, Man, Material, Role};

/// The conversions of a material.
#[derive(Debug, Clone)]
pub struct Conversions {
    materials: Vec<Material>,
    /// By captured man; `None` for kings.
    pub(super) captures: Vec<Option<Renumbering>>,
    /// By promoting man, then by role in the order of [`Role::PROMOTIONS`], then by captured man, with a last entry for no
    /// capture. Empty for men that are not pawns.
    pub(super) promotions: Vec<Vec<Vec<Option<Renumbering>>>>,
}

/// The map between the numbers of men in a material and in a child's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Renumbering {
    /// The number of the child's material in [`Conversions::materials`].
    pub(super) to: usize,
    pub(super) material: Material,
    pub(super) exchanged: bool,
    /// The number in the parent of each man of the child.
    pub(super) from: [u8; MAX_MEN],
}

impl Renumbering {
    /// Returns the renumbering that removes man `captured` and gives man `promoted.0` the role `promoted.1`; `None` if the
    /// captured man is a king.
    fn new(
        parent: &Material,
        promoted: Option<(usize, Role)>,
        captured: Option<usize>,
        materials: &mut Vec<Material>,
    ) -> Option<Self> {
        if captured.is_some_and(|man| parent.men()[man].role == Role::King) {
            return None;
        }
        let mut left: Vec<(u8, Man)> = (0..).zip(parent.men().iter().copied()).collect();
        if let Some((man, role)) = promoted {
            left[man].1.role = role;
        }
        left.retain(|&(man, _)| Some(man as usize) != captured);
        let roles = |color| {
            left.iter()
                .filter(|(_, man)| man.color == color && man.role != Role::King)
                .map(|(_, man)| man.role)
                .collect::<Vec<_>>()
        };
        let (material, exchanged) = Material::new(&roles(Color::White), &roles(Color::Black)).ok()?;
        let mut from = [0; MAX_MEN];
        for (child, &man) in from.iter_mut().zip(material.men()) {
            let color = if exchanged { man.color.other() } else { man.color };
            let at = left.iter().position(|(_, other)| *other == Man::new(color, man.role))?;
            *child = left.remove(at).0;
        }
        let to = materials.iter().position(|other| *other == material).unwrap_or_else(|| {
            materials.push(material);
            materials.len() - 1
        });
        Some(Renumbering { to, material, exchanged, from })
    }
}

impl Conversions {
    /// Returns the conversions of `material`.
    pub fn new(material: &Material) -> Self {
        let men = material.len();
        let mut materials = Vec::new();
        let captures = (0..men)
            .map(|captured| Renumbering::new(material, None, Some(captured), &mut materials))
            .collect();
        let mut promotion = |man: usize, role| {
            let mut by_captured: Vec<_> = (0..men)
                .map(|captured| {
                    let other = material.men()[captured];
                    let possible = other.color != material.men()[man].color && other.role != Role::Pawn;
                    let promoted = Some((man, role));
                    possible.then(|| Renumbering::new(material, promoted, Some(captured), &mut materials))?
                })
                .collect();
            by_captured.push(Renumbering::new(material, Some((man, role)), None, &mut materials));
            by_captured
        };
        let promotions = (0..men)
            .map(|man| match material.men()[man].role {
                Role::Pawn => Role::PROMOTIONS.map(|role| promotion(man, role)).into(),
                _ => Vec::new(),
            })
            .collect();
        Conversions { materials, captures, promotions }
    }

    /// The materials after one conversion, each once: those of the sub-tables. Their order is unspecified.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }
}
