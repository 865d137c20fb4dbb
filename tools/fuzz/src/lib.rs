//! The fuzz targets: each takes any bytes, and panics if the code under test breaks a rule of its documentation.
//!
//! libFuzzer runs them (`.ci/slow fuzz`). `cargo test` includes this file and replays the corpora in fixtures/fuzz.
//! Files end in checksums that a mutated file does not have. A target writes the right checksums over its input first.

use arbitrary::{Result, Unstructured};
use cubebase::chess::retrograde;
use cubebase::covers::{Clauses, Covers, Layout, Section, Turns, contains};
use cubebase::explain::Decision;
use cubebase::pcn::{Bundle, ByteBreakdown, Codec, DistanceSummary, Node, Summary, Test, Tree};
use cubebase::position::{Square, Symmetry};
use cubebase::probe::Prober;
use cubebase::{Color, Man, Material, Model, Pcn, Position, Role, Tables, Wdl, xiangqi};
use espresso::minimize::{Options, Step};
use espresso::{Cover, Function, Pla, PlaType, Rest, check};
use std::io::Write;

/// A target: its name, which is that of its corpus too, and its body.
pub type Target = (&'static str, fn(&[u8]));

pub const ALL: [Target; 6] =
    [("pla", pla), ("minimize", minimize), ("pcn", pcn), ("wdl", wdl), ("fen", fen), ("probe", probe)];

/// Reads a PLA, writes it and reads it again.
pub fn pla(bytes: &[u8]) {
    match Pla::read(bytes) {
        Ok(pla) => {
            let mut text = Vec::new();
            pla.write(&mut text, pla.kind).unwrap();
            let again = Pla::read_as(&text[..], PlaType::F).unwrap();
            assert_eq!(again, pla);
        }
        Err(error) => assert!(error.line().is_some() && !error.to_string().contains('\n'), "{error}"),
    }
}

/// Bits of a cube and cubes of a PLA that is minimized: few enough for any complement.
const SMALL: (usize, usize) = (24, 64);

/// The most steps that a line can ask for.
const MOST_STEPS: usize = 6;

/// Minimizes a small PLA. In the line before it the first byte gives budget, effort, `is_strong` and whether R is listed, each
/// other byte a step. The oracle judges the cover, which is then written as each type and read again.
pub fn minimize(bytes: &[u8]) {
    const STEPS: [Step; 11] = [
        Step::Compact,
        Step::Expand,
        Step::Essential,
        Step::Irredundant,
        Step::Reduce,
        Step::LastGasp,
        Step::LargeNeighbourhoodSearch,
        Step::MakeSparse,
        Step::Loop,
        Step::Exact,
        Step::SuperGasp,
    ];
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return };
    let Ok(pla) = Pla::read(&bytes[end + 1..]) else { return };
    if pla.space().bits() > SMALL.0 || pla.on.len() + pla.dc.len() + pla.off.len() > SMALL.1 {
        return;
    }
    let Ok(function) = Function::from_pla(&pla) else { return };
    let (&first, steps) = bytes[..end].split_first().unwrap_or((&0, &[]));
    let steps = steps.iter().take(MOST_STEPS).map(|&byte| STEPS[usize::from(byte) % STEPS.len()]).collect();
    let (effort, budget, is_strong) = (1 + first / 64, Some(1 << (first % 32)), first % 64 > 31);
    let options = Options { steps, effort, budget, is_strong, ..Options::default() };
    let mut given = function.clone();
    if first > 127 && function.rest != Rest::Dc {
        given = Function { off: Cover::new(pla.space()), rest: Rest::Off, ..given };
    }
    let (cover, _) = match espresso::minimize::minimize(&given, &options) {
        Err(error) if given.rest == Rest::Off && error.kind() == espresso::ErrorKind::Unsupported => return,
        made => made.unwrap(),
    };
    assert_eq!(check::result(&function, &cover), Ok(()));
    let function = function.with_listed_dc().unwrap();
    let pla = pla.completed(&function);
    for kind in [PlaType::F, PlaType::Fd, PlaType::Fr, PlaType::Fdr] {
        let off = if kind == PlaType::Fr { function.blocking_on() } else { function.off.clone() };
        let result = Pla { on: cover.clone(), off, ..pla.clone() };
        let mut text = Vec::new();
        result.write(&mut text, kind).unwrap();
        let again = Pla::read_as(&text[..], PlaType::F).unwrap();
        assert_eq!(again.kind, kind);
        Function::from_pla(&again).unwrap();
        assert_eq!(check::result(&function, &again.on), Ok(()));
    }
}

/// Reads a .pcn file or a bundle, and asks the tables in it about positions that its bytes give.
pub fn pcn(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    if !Bundle::is_bundle(&bytes) {
        seal(&mut bytes);
        return table(&bytes);
    }
    seal_bundle(&mut bytes);
    if let Ok(bundle) = Bundle::open(bytes.clone()) {
        let tables = bundle.tables().map(|(material, table)| (*material, table.to_vec()));
        assert_eq!(Bundle::encode(tables.collect()).unwrap(), bytes);
        bundle.tables().for_each(|(_, bytes)| table(bytes));
    }
}

/// Reads a .pcn file, writes its content, reads it again, and asks it about positions.
fn table(bytes: &[u8]) {
    if let Ok(clauses) = xiangqi::Clauses::decode(bytes) {
        assert!(clauses.clauses_and_literals().0 >= 2);
        let material = *clauses.material();
        bytes.chunks(16).take(16).for_each(|points| {
            _ = clauses.explain(&xiangqi_position(material, points));
        });
    }
    if DistanceSummary::is_of(bytes) {
        // A file of distances has no outcomes: no position is asked about, and no page is decoded.
        let tables = Tables::from_bytes(bytes.to_vec());
        return assert!(tables.is_ok() || DistanceSummary::decode(bytes).is_err());
    }
    let tables = Tables::from_bytes(bytes.to_vec());
    if let Ok(tables) = &tables {
        let material = tables.materials()[0];
        let positions = bytes.chunks(8).take(16).map(|squares| position(material, squares));
        positions.clone().for_each(|position| _ = tables.probe_wdl50(&position));
        positions.clone().for_each(|position| _ = tables.probe(&position));
        // To number a leaf, every page is decoded.
        positions.take(1).for_each(|position| _ = tables.explain(&position));
    }
    _ = ByteBreakdown::decode(bytes);
    let Ok(summary) = Summary::decode(bytes) else { return assert!(Pcn::decode(bytes).is_err()) };
    let tables = tables.unwrap();
    let pcn = Pcn::decode(bytes).unwrap();
    assert_eq!(summary.clauses, pcn.clauses());
    rewrite(&pcn);
    let prober = Prober::decode(bytes).unwrap();
    ask(&pcn, &prober, bytes);
    for squares in bytes.chunks(8).take(16) {
        let position = position(*pcn.material(), squares);
        assert_eq!(tables.probe(&position).ok(), prober.probe(&position).ok());
        assert_eq!(tables.probe_wdl50(&position).ok(), prober.probe_wdl50(&position).ok());
    }
}

fn rewrite(pcn: &Pcn) {
    for codec in Codec::ALL {
        assert_eq!(Pcn::decode(&pcn.encode(codec).unwrap()).unwrap(), *pcn);
    }
}

/// Asks `table`, made of `pcn`, about positions of its material that `bytes` give, eight bytes each.
fn ask(pcn: &Pcn, table: &Prober, bytes: &[u8]) {
    for squares in bytes.chunks(8).take(16) {
        let position = position(*pcn.material(), squares);
        let probed = table.probe(&position).ok();
        if !position.is_legal() {
            assert_eq!(probed, None);
            continue;
        }
        let explanation = table.explain(&position).ok();
        assert_eq!(probed, explanation.as_ref().map(|explanation| explanation.outcome));
        let Some(explanation) = explanation else { continue };
        match explanation.decision {
            Decision::Leaf { leaf, exception: true, .. } => {
                assert!(excepts(pcn, explanation.canonical.turn(), leaf, explanation.outcome));
            }
            _ => assert_eq!(probed, decided(pcn, &explanation.canonical)),
        }
        for symmetry in Symmetry::ALL {
            let keeps_ranks = symmetry.apply(Square::at(0, 1)).rank() == 1;
            if keeps_ranks || !pcn.material().has_pawns() {
                assert_eq!(table.probe(&position.transformed(symmetry)).ok(), probed);
            }
        }
    }
}

/// The outcome of a canonical position by the file's rule, clause after clause and leaf after leaf, exceptions ignored.
fn decided(pcn: &Pcn, canonical: &Position) -> Option<Wdl> {
    let layout = pcn.layout();
    let mut parts = vec![0; layout.variables().len()];
    pcn.model().evaluate(canonical, &mut parts);
    let turn = canonical.turn();
    if let Some(tree) = pcn.tree(turn) {
        let mut outcome = None;
        let passes = |&(Test { variable, low, high }, first): &(Test, bool)| {
            (low..=high).contains(&parts[usize::from(variable)]) == first
        };
        tree.paths(|leaf, path| {
            if path.iter().all(passes) {
                outcome = Some(leaf.outcome);
            }
        });
        return outcome;
    }
    let mut minterm = vec![0; layout.words()];
    layout.write_minterm(&parts, &mut minterm);
    let decides = |section: &Section| section.clauses.iter().any(|clause| contains(clause, &minterm));
    let covers = pcn.covers()?;
    let section = covers.sections_for(turn).find(|(_, section)| decides(section));
    section.map(|(_, section)| section.outcome)
}

fn excepts(pcn: &Pcn, turn: Color, leaf: usize, outcome: Wdl) -> bool {
    let leaf = pcn.tree(turn).unwrap().leaves().nth(leaf).unwrap();
    let excepted = leaf.exceptions.unwrap().outcome;
    outcome != leaf.outcome && excepted.is_none_or(|excepted| excepted == outcome)
}

/// The position of `material` that up to eight bytes give: six bits a square, pawns where they may stand, the side to
/// move and the en-passant file in the bits that are left.
fn position(material: Material, bytes: &[u8]) -> Position {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let square = |(at, man): (usize, &Man)| match man.role {
        Role::Pawn => Square::at(byte(at) & 7, 1 + (byte(at) >> 3 & 7) % 6),
        _ => Square::new(byte(at) & 63),
    };
    let squares: Vec<Square> = material.men().iter().enumerate().map(square).collect();
    let turn = if byte(0) & 64 == 0 { Color::White } else { Color::Black };
    let mut position = Position::new(material, &squares, turn, None);
    position.sort();
    let file = byte(0) >> 7 | byte(1) >> 6 << 1;
    let captures = position.is_legal() && position.en_passant_capturers(file).next().is_some();
    Some(position.with_en_passant(Some(file))).filter(|with| captures && with.is_legal()).unwrap_or(position)
}

/// Reads an outcome table, whole and mapped, and looks up positions that its bytes give.
pub fn wdl(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    seal_table(&mut bytes);
    let whole = retrograde::Table::from_bytes(&bytes);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    if let Ok(table) = xiangqi::Table::from_bytes(&bytes) {
        _ = (table.longest(), xiangqi::Census::of(&table));
        bytes.chunks(16).take(16).for_each(|points| {
            _ = table.wdl(&xiangqi_position(*table.material(), points));
        });
        _ = xiangqi::TableFile::open(file.path()).unwrap().longest();
        return;
    }
    let Ok(mapped) = retrograde::TableFile::open(file.path()) else {
        return assert!(whole.is_err());
    };
    for squares in bytes.chunks(8).take(32) {
        let position = position(*mapped.material(), squares);
        let (found, distance) = (mapped.wdl(&position), mapped.distance(&position));
        if let Ok(whole) = &whole {
            assert_eq!(
                (found.ok(), distance.ok()),
                (whole.wdl(&position).ok(), whole.distance(&position).ok())
            );
        }
    }
}

/// The position of Chinese chess with its men on the points that the bytes give.
fn xiangqi_position(material: xiangqi::Material, points: &[u8]) -> xiangqi::Position {
    let point = |at| xiangqi::Point::new(points.get(at).copied().unwrap_or(at as u8) % 90);
    let points: Vec<_> = (0..material.len()).map(point).collect();
    xiangqi::Position::new(material, &points, Color::BOTH[points.len() % 2])
}

/// Reads FENs and signatures, and writes positions that the bytes give and reads them again.
pub fn fen(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        match xiangqi::Position::from_fen(text) {
            Ok((position, _)) => {
                assert_eq!(xiangqi::Position::from_fen(&position.to_fen()).unwrap(), (position, false));
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
        if let Ok(material) = text.parse::<xiangqi::Material>() {
            assert_eq!(material.to_string().parse::<xiangqi::Material>().unwrap(), material);
        }
        match Position::from_fen(text) {
            Ok(position) => written(position),
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
        match Material::parse(text) {
            Ok((material, _)) => signature(&material),
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
    let roles = |bytes: &[u8]| bytes.iter().map(|&byte| Role::ALL[usize::from(byte) % 6]).collect::<Vec<_>>();
    let (sizes, rest) = bytes.split_at(bytes.len().min(1));
    let size = |shift: u8| sizes.first().map_or(0, |sizes| usize::from(sizes >> shift & 7)).min(rest.len());
    let (white, black) = (roles(&rest[..size(0)]), roles(&rest[rest.len() - size(3)..]));
    if let Ok((material, _)) = Material::new(&white, &black) {
        signature(&material);
        let position = position(material, rest);
        if position.is_legal() {
            written(position);
        }
    }
}

fn signature(material: &Material) {
    assert_eq!(Material::parse(&material.to_string()).unwrap(), (*material, false));
}

fn written(position: Position) {
    assert!(position.is_legal());
    assert_eq!(Position::from_fen(&position.to_fen()).unwrap(), position);
    for anchor in 0..position.material().len() {
        let canonical = position.canonical(anchor);
        assert!(canonical.is_legal() && canonical.is_canonical(anchor));
        assert_eq!(canonical.canonical(anchor), canonical);
    }
}

/// Makes a .pcn file that the bytes describe, and asks it about positions.
pub fn probe(bytes: &[u8]) {
    let (squares, content) = bytes.split_at(bytes.len() / 3);
    if let Ok(Some(pcn)) = made(&mut Unstructured::new(content)) {
        rewrite(&pcn);
        ask(&pcn, &Prober::new(&pcn), squares);
    }
}

/// Content that `source` describes; `None` if it breaks a rule of the format.
fn made(source: &mut Unstructured) -> Result<Option<Pcn>> {
    let signatures = ["KvK", "KQvK", "KPvK", "KRvKR", "KPvKP", "KNNvK", "KBPvKN", "KPPvKPP", "KQRBvKNPP"];
    let material: Material = source.choose(&signatures)?.parse().unwrap();
    let model = *source.choose(&Model::ALL)?;
    let layout = Layout::new(model, &material);
    let has_trees = source.arbitrary()?;
    let (mut anchors, mut trees) = (Vec::new(), Vec::new());
    let mut covers = Covers { sections: Vec::new() };
    for &turn in material.stored_turns() {
        anchors.push(source.int_in_range(0..=material.len() - 1)?);
        if has_trees {
            let mut nodes = Vec::new();
            grow(source, &layout, 7, &mut nodes)?;
            trees.push(Tree::new(nodes, &model.variable_set(&material).values()).unwrap());
            continue;
        }
        let mut outcomes = Wdl::ALL;
        outcomes.rotate_left(source.int_in_range(0..=2)?);
        for outcome in outcomes {
            let clauses = clauses(source, &layout)?;
            covers.sections.push(Section { turns: Turns::from(turn), outcome, clauses });
        }
    }
    Ok(if has_trees {
        Pcn::of_trees(material, model, anchors, trees, [7; 8]).ok()
    } else {
        Pcn::of_covers(material, model, anchors, covers, [7; 8]).ok()
    })
}

/// Nodes of a tree of at most `depth` tests one below the other, in preorder.
fn grow(source: &mut Unstructured, layout: &Layout, depth: usize, nodes: &mut Vec<Node>) -> Result<()> {
    if depth == 0 || source.ratio(1, 3)? {
        nodes.push(Node::Leaf((*source.choose(&Wdl::ALL)?).into()));
        return Ok(());
    }
    let variable = source.int_in_range(0..=layout.variables().len() - 1)?;
    let last = layout.variables()[variable].values as u8 - 1;
    let low = source.int_in_range(0..=last)?;
    let high = source.int_in_range(low..=last)?;
    nodes.push(Node::Test(Test { variable: variable as u16, low, high }));
    (0..2).try_for_each(|_| grow(source, layout, depth - 1, nodes))
}

fn clauses(source: &mut Unstructured, layout: &Layout) -> Result<Clauses> {
    let mut words = Vec::new();
    for _ in 0..source.int_in_range(0..=3)? {
        let mut clause = layout.universe();
        for _ in 0..source.int_in_range(0..=5)? {
            let variable = source.int_in_range(0..=layout.variables().len() - 1)?;
            let literal = source.arbitrary::<u64>()? & layout.full(variable);
            if literal != 0 {
                layout.set_literal(&mut clause, variable, literal);
            }
        }
        words.extend(clause);
    }
    Ok(Clauses::new(layout.words(), &words))
}

/// Writes the CRC-32 of all bytes but the last four over these four.
fn seal(bytes: &mut [u8]) {
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<4>() {
        *sum = crc32fast::hash(body).to_le_bytes();
    }
}

/// Seals the index of a bundle of fewer than 128 tables. Each number in it ends in a byte without the highest bit.
fn seal_bundle(bytes: &mut [u8]) {
    let numbers = bytes.get(5).map_or(0, |&tables| 2 * usize::from(tables));
    let mut ends = (6..bytes.len()).filter(|&at| bytes[at] < 0x80);
    let end = if numbers == 0 { Some(5) } else { ends.nth(numbers - 1) };
    if let Some(index) = end.and_then(|end| bytes.get_mut(..end + 5)) {
        seal(index);
    }
}

/// Seals header, blocks and directory of an outcome table. The last block gets the remaining bytes.
fn seal_table(bytes: &mut [u8]) {
    const HEADER: usize = 128;
    let Some((header, rest)) = bytes.split_first_chunk_mut::<HEADER>() else { return };
    seal(header);
    let blocks = header[44..48].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
    let Some(start) = rest.len().checked_sub(8 * blocks + 4) else { return };
    let (mut payloads, directory) = rest.split_at_mut(start);
    for (number, entry) in directory.as_chunks_mut::<8>().0.iter_mut().take(blocks).enumerate() {
        let declared = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) as usize;
        let last = number + 1 == blocks;
        let length = if last { payloads.len() } else { declared.min(payloads.len()) };
        let (payload, others) = payloads.split_at_mut(length);
        entry[..4].copy_from_slice(&(length as u32).to_le_bytes());
        entry[4..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
        payloads = others;
    }
    seal(directory);
}
