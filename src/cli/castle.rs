//! `castle`: adds castling rights to existing .pcn files without minimizing them again. Files of Chinese chess are reported
//! and skipped.

use super::args::Castle;
use super::generate::store;
use super::sources::left_out;
use super::{Resources, complain, counted, files, paint, print, progress, status_of};
use crate::atomic;
use crate::chess::retrograde::Chess;
use crate::chess::retrograde::castling::{CastlingLayer, CastlingLayers};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{BUNDLE_MAGIC, DistanceSummary, Pcn, Summary};
use crate::pipeline;
use crate::probe::EXTENSION;
use crate::xiangqi::Clauses;
use std::process::ExitCode;

pub(super) fn castle(args: &Castle, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let store = store::<Chess>(args.tables.as_deref(), &line, resources);
    let (layers, mut status) = (CastlingLayers::new(&store), 0);
    for path in &args.paths {
        for file in files(path, &[EXTENSION])? {
            let bytes = crate::files::read_regular(&file)?;
            if bytes.starts_with(&BUNDLE_MAGIC) {
                let why =
                    format!("{}: a bundle: castle takes .pcn files and directories of them", file.display());
                return Err(Error::new(ErrorKind::BadInput, why));
            }
            if Clauses::are_in(&bytes) {
                let error = left_out(&file);
                status = status_of(error.kind());
                line.suspend(|| complain(&error));
                continue;
            }
            if DistanceSummary::is_of(&bytes) {
                // Files of distances have no castling rights.
                continue;
            }
            let material = *Pcn::decode(&bytes).map_err(|error| error.in_file(&file))?.material();
            if !CastlingLayer::is_of(&material) {
                continue;
            }
            atomic::check(&file)?;
            let (layer, table) = (layers.get(&material)?, store.get(&material)?);
            let with =
                pipeline::add_castling(&bytes, &layer, &table).map_err(|error| error.in_file(&file))?;
            atomic::write_bytes(&file, &with)?;
            let summary = Summary::decode(&with)?;
            let (path, matter) = (
                paint::out(paint::HEAD, file.display()),
                summary.castling_exceptions.expect("rights were just added"),
            );
            let (bytes, positions) = (counted(summary.castling_bytes, "byte"), counted(matter, "position"));
            let text = format!("{path}: {bytes} of castling rights, which matter in {positions}\n");
            line.suspend(|| print(text))?;
        }
    }
    line.finish_and_clear();
    Ok(ExitCode::from(status))
}
