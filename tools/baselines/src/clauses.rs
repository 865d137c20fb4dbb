//! Clauses and trees, made by the library's own pipeline, and Syzygy's files, which are only read.

use crate::cells::Made;
use anyhow::{Context, Result, anyhow};
use cubebase::chess::retrograde::Table;
use cubebase::covers::{self, Exported, Scope};
use cubebase::espresso::minimize::{self, Step};
use cubebase::pcn::Summary;
use cubebase::pipeline::{self, Built, Options};
use cubebase::{ErrorKind, Material, Model};

use std::path::PathBuf;

/// The three covers of Gomboc & Shelton's section 2.5, compacted, expanded once and irredundant, compressed by zstd.
pub fn two_level(table: &Table) -> Result<Made> {
    let steps = vec![Step::Compact, Step::Expand, Step::Irredundant];
    let Exported { function, .. } = covers::paper_function(table, Model::Binary, &Scope::default())?;
    let options = minimize::Options { steps, ..minimize::Options::default() };
    let (cover, _) = minimize::minimize(&function, &options)?;
    within_limits(covers::pack(table, &cover, &covers::Options::default()))
}

/// A static function of outcomes alone, by linear systems over GF(2) (ribbons).
pub fn static_function(table: &Table) -> Result<Made> {
    made(pipeline::static_function(table, &Options::default())?.bytes)
}

/// The smallest file of trees over these models.
pub fn ours(table: &Table, models: &[Model], effort: u8) -> Result<Made> {
    let options = Options { models: models.to_vec(), effort, ..Options::default() };
    within_limits(pipeline::build(table, &options))
}

fn within_limits(built: cubebase::Result<Built>) -> Result<Made> {
    let built = built.map_err(|error| match error.kind() {
        ErrorKind::BudgetExhausted => anyhow!("limit: {error}"),
        _ => error.into(),
    });
    made(built?.bytes)
}

fn made(bytes: Vec<u8>) -> Result<Made> {
    let Summary { model, clauses, sides, .. } = Summary::decode(&bytes)?;
    let trees = sides.iter().filter(|side| side.tree.is_some()).count();
    Ok(Made { elements: Some(clauses as u64), detail: format!("model {model}; {trees} trees"), bytes })
}

/// The bytes of the published file.
pub fn syzygy(material: &Material, directories: &[PathBuf]) -> Result<Made> {
    let name = format!("{material}.rtbw");
    let file = directories.iter().map(|directory| directory.join(&name)).find(|file| file.exists());
    let file = file.with_context(|| format!("no Syzygy file {name}"))?;
    Ok(Made::new(std::fs::read(&file).with_context(|| file.display().to_string())?))
}
