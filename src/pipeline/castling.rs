//! The castling rights of a table as a section of its .pcn file, and their check on every position.

use crate::chess::position::{CastlingRights, Position, Wdl};
use crate::chess::retrograde::Table;
use crate::chess::retrograde::castling::CastlingLayer;
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::Pcn;
use crate::probe::Prober;

/// Returns the file `bytes` of `table` with the castling rights of `layer` in place of any that it has. Checks the new file on
/// every position with rights.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if the file is made from another outcome table; those of [`Pcn::decode`].
pub fn add_castling(bytes: &[u8], layer: &CastlingLayer, table: &Table) -> Result<Vec<u8>> {
    let mut differing = Vec::new();
    for (position, outcome) in layer.positions() {
        if table.wdl_of_legal(&position.with_castling(CastlingRights::NONE))? != outcome {
            differing.push((position, outcome));
        }
    }
    let bytes = Pcn::add_castling(bytes, &differing)?;
    let clauses = Prober::decode(&bytes)?;
    if clauses.table_hash() != table.hash() {
        let why = format!("{}: the file is made from another outcome table", table.material());
        return Err(Error::new(ErrorKind::Mismatch, why));
    }
    verify_castling(&clauses, layer)?;
    Ok(bytes)
}

/// Probes `clauses` on every position of `layer`, and with the colours exchanged if the material is symmetric. Returns the
/// number of probes.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with an example position if an outcome differs; those of [`Prober::probe`].
pub fn verify_castling(clauses: &Prober, layer: &CastlingLayer) -> Result<u64> {
    let mut probes = 0;
    let mut check = |position: &Position, outcome: Wdl| {
        let found = clauses.probe(position)?;
        probes += 1;
        if found == outcome {
            return Ok(());
        }
        let (material, fen) = (layer.material(), position.to_fen());
        let why = format!("{material}: the clauses say {found}, the rules of castling {outcome}: {fen}");
        Err(Error::new(ErrorKind::Mismatch, why))
    };
    for (position, outcome) in layer.positions() {
        check(&position, outcome)?;
        if layer.material().is_symmetric() {
            check(&position.colors_exchanged(), outcome)?;
        }
    }
    Ok(probes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::chess::retrograde::Store;
    use crate::chess::retrograde::castling::CastlingLayers;
    use crate::pcn::Codec;
    use crate::pipeline::{Built, Options, build};

    /// The section changes only the version and the end of the file.
    #[test]
    fn the_section_is_appended_to_the_file() {
        let store = Store::new(None);
        for (signature, differing) in [("KRvK", 0), ("KRvKR", 6)] {
            let table = store.get(&signature.parse().unwrap()).unwrap();
            let layer = CastlingLayers::new(&store).get(table.material()).unwrap();
            let options = Options { models: vec![Model::Board], ..Options::default() }.with_effort(1);
            let Built { pcn, bytes: before, .. } = build(&table, &options).unwrap();
            let bytes = add_castling(&before, &layer, &table).unwrap();
            let end = before.len() - 4;
            assert_eq!(bytes[2..end], before[2..end]);
            assert_eq!((before[1], bytes[1], bytes[end]), (3, 4, 0));
            let with = Pcn::decode(&bytes).unwrap();
            assert_eq!((pcn.castling(), with.castling()), (None, Some(differing)));
            assert_eq!(with.encode(Codec::Compressed).unwrap(), bytes);
            assert_eq!(add_castling(&bytes, &layer, &table).unwrap(), bytes, "once more");
            let none = verify_castling(&Prober::new(&pcn), &layer).unwrap_err();
            assert_eq!(none.kind(), ErrorKind::MissingRights);
            // A file that lists no position whose outcome depends on rights.
            let wrong = Prober::decode(&Pcn::add_castling(&before, &[]).unwrap()).unwrap();
            let checked = verify_castling(&wrong, &layer).map_err(|error| error.kind());
            assert_eq!(checked.err(), (differing > 0).then_some(ErrorKind::Mismatch));
            let other = Store::new(None).get(&"KBvK".parse().unwrap()).unwrap();
            let kind =
                add_castling(&build(&other, &options).unwrap().bytes, &layer, &table).unwrap_err().kind();
            assert_eq!(kind, if differing > 0 { ErrorKind::BadInput } else { ErrorKind::Mismatch });
        }
    }
}
