//! Moves that change the material: captures, promotions, promotions that capture, en-passant captures.
//!
//! They lead out of a table into sub-tables that are solved first, and are looked up forward there. The child is
//! given as a position of its own material: its men renumbered, and its colours exchanged when the side that is
//! stronger then is Black. How each conversion renumbers is worked out once a material, so that a move only copies
//! squares.

use crate::position::{Color, MAX_MEN, Man, Material, Role};

/// The conversions of a material.
#[derive(Debug, Clone)]
pub struct Conversions {
    materials: Vec<Material>,
    /// By captured man; `None` for kings.
    pub(super) captures: Vec<Option<Renumbering>>,
    /// By promoting man, then by role in the order of [`Role::PROMOTIONS`], then by captured man, the last entry for
    /// none; empty for men that are no pawns.
    pub(super) promotions: Vec<Vec<Vec<Option<Renumbering>>>>,
}

/// How the men of one material become those of another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Renumbering {
    /// Number of the child's material in [`Conversions::materials`].
    pub(super) to: usize,
    pub(super) material: Material,
    pub(super) exchanged: bool,
    /// For each man of the child, its number in the parent.
    pub(super) from: [u8; MAX_MEN],
}

impl Renumbering {
    /// The renumbering that takes man `captured` off and gives man `promoted.0` the role `promoted.1`; `None` when
    /// the captured man is a king.
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
    /// Works out the conversions of `material`.
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

    /// The materials that one move leads to, each once: the sub-tables needed. No order is promised.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }
}
