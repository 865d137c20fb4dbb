//! `paper`: the paper's experiment over again, its tables 4 and 5 beside ours.

use super::args::{Paper, PaperFormat};
use super::{Resources, make, materials, print, progress};
use crate::atomic;
use crate::compare::{paper_table5, syzygy_bytes};
use crate::error::{Error, ErrorKind, Result};
use crate::paper::{self, Options, Record, Row, Tables};
use crate::position::Material;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Duration;

/// Takes tables through the paper's steps; exit status 1 when one has more clauses than its bound.
pub(super) fn paper(args: &Paper, resources: &Resources) -> Result<ExitCode> {
    let mut targets = args.targets.clone();
    targets.extend(args.men.map(|men| men.to_string()));
    let materials = materials(&targets)?;
    if let Some(other) = materials.iter().find(|material| paper_table5(material).is_none()) {
        return Err(Error::new(ErrorKind::BadMaterial, format!("the paper has no table of {other}")));
    }
    let mut record = Record::open(args.record.as_deref())?;
    let line = progress::line(resources.quiet);
    let say = progress::saying(&line);
    let options =
        Options { budget: Duration::from_secs(args.budget), memory: resources.memory, progress: &say };
    let open: Vec<Material> =
        materials.iter().filter(|material| record.row(material).is_none()).copied().collect();
    paper::check_memory(&open, &options)?;
    if let Some(path) = args.record.as_deref().filter(|_| !open.is_empty()) {
        atomic::check(path)?;
    }
    let store = make::store(args.tables.as_deref(), &line, resources);
    match args.format {
        PaperFormat::Text => line.suspend(|| print(Tables::head()))?,
        PaperFormat::Csv => line.suspend(|| print(Record::head()))?,
        PaperFormat::Json => {}
    }
    let mut rows = Vec::with_capacity(materials.len());
    for material in &materials {
        let row = if let Some(row) = record.row(material) {
            row.clone()
        } else {
            let row = paper::measure(&*store.get(material)?, &options)?;
            store.forget(material);
            record.push(row.clone())?;
            row
        };
        match args.format {
            PaperFormat::Text => line.suspend(|| print(Tables::line(&row)))?,
            PaperFormat::Csv => line.suspend(|| print(Record::line(&row)))?,
            PaperFormat::Json => {}
        }
        rows.push(row);
    }
    line.finish_and_clear();
    let tables = Tables { rows: &rows };
    match args.format {
        PaperFormat::Text => print(tables.rest())?,
        PaperFormat::Csv => {}
        PaperFormat::Json => {
            let rows: Vec<Value> = rows.iter().map(row_json).collect();
            print(format!("{:#}\n", json!({ "tables": rows })))?;
        }
    }
    Ok(ExitCode::from(u8::from(!tables.within_bounds())))
}

fn row_json(row: &Row) -> Value {
    let paper = paper_table5(&row.material);
    let mut value = json!({
        "material": row.material.to_string(),
        "positions": row.positions,
        "positions_paper": paper.map(|paper| paper.positions),
        "half_positions": row.half.map(|half| half.positions),
        "pcn_bytes": row.pcn_bytes(),
        "pcn_bytes_paper": paper.and_then(|paper| paper.pcn_bytes),
        "zstd_bytes": row.zstd_bytes,
        "zipped_bytes_paper": paper.and_then(|paper| paper.zipped_bytes),
        "syzygy_bytes": syzygy_bytes(&row.material),
        "export_seconds": row.export_seconds,
        "check_seconds": row.check_seconds,
        "peak_bytes": row.peak_bytes,
        "threads": row.threads,
    });
    let theirs = paper
        .map_or([None; 4], |paper| [Some(paper.compacted), Some(paper.expanded), paper.clauses, paper.full]);
    let names = ["compacted", "expanded", "irredundant", "full"];
    for (at, (name, stage)) in names.into_iter().zip(row.all_stages()).enumerate() {
        if let Some(half) = row.half.filter(|_| at < 3) {
            value[format!("half_{name}_clauses")] = json!(half.stages[at].clauses);
            value[format!("half_{name}_seconds")] = json!(half.stages[at].seconds);
        }
        value[format!("{name}_clauses")] = json!(stage.map(|stage| stage.clauses));
        value[format!("{name}_clauses_paper")] = json!(theirs[at]);
        value[format!("{name}_seconds")] = json!(stage.map(|stage| stage.seconds));
        value[format!("{name}_hours_paper")] = json!(paper.and_then(|paper| paper.hours[at]));
    }
    value
}
