//! Exported functions: care sets and don't-care blocks together are the whole input space, with the table's outcomes.

use super::noise::Noise;
use cubebase::chess::retrograde::Store;
use cubebase::covers::{self, OUTPUTS, Scope, contains, natural_type, paper_function, write_pla};
use cubebase::pipeline::{self, Symmetries};
use cubebase::position::{Position, Square};
use cubebase::{Color, ErrorKind, Material, Model, probe};
use espresso::minimize::{self, Step};
use espresso::pla::{Pla, PlaType};
use espresso::{Cover, Function, check};

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

#[test]
fn three_man_functions_are_complete_and_as_large_as_the_table() {
    // Legal positions of both sides to move: canonical ones, and those of the full board.
    for (name, canonical, all) in [
        ("KvK", 462, 7_224),
        ("KQvK", 46_137, 368_452),
        ("KRvK", 50_015, 399_112),
        ("KPvK", 165_676, 331_352),
    ] {
        let table = Store::new(None).get(&material(name)).unwrap();
        for (scope, count) in [(Scope::default(), canonical), (Scope::full_board(), all)] {
            let exported = paper_function(&table, Model::Binary, &scope).unwrap();
            check::consistent(&exported.function).unwrap();
            assert_eq!(exported.function.on.len(), count, "{name} {scope:?}");
            assert_eq!(exported.function.off.len(), count, "{name} {scope:?}");
        }
    }
}

#[test]
fn every_man_can_lead() {
    let table = Store::new(None).get(&material("KPvK")).unwrap();
    for anchor in 0..3 {
        let scope = Scope { canonical: true, anchors: [anchor, 2 - anchor] };
        let exported = paper_function(&table, Model::Binary, &scope).unwrap();
        check::consistent(&exported.function).unwrap();
        assert_eq!(exported.function.on.len(), 165_676);
    }
    let scope = Scope { canonical: true, anchors: [0, 3] };
    assert!(paper_function(&table, Model::Binary, &scope).is_err());
}

#[test]
fn text_in_between_keeps_the_function() {
    let table = Store::new(None).get(&material("KQvK")).unwrap();
    let exported = paper_function(&table, Model::Binary, &Scope::default()).unwrap();
    for kind in [PlaType::Fdr, PlaType::Fr] {
        let mut text = Vec::new();
        write_pla(&table, Model::Binary, &Scope::default(), kind, &mut text).unwrap();
        let pla = Pla::read(text.as_slice()).unwrap();
        assert_eq!(pla.kind, kind);
        assert_eq!(pla.input_labels.as_ref().unwrap()[0], "black_to_move");
        assert_eq!(pla.output_labels.as_deref().unwrap(), ["win", "draw", "loss"]);
        let read = Function::from_pla(&pla).unwrap();
        check::same_function(&read, &exported.function).unwrap();
    }
    assert!(write_pla(&table, Model::Binary, &Scope::default(), PlaType::Fd, &mut Vec::new()).is_err());
}

/// In a model without square bits there are too many don't-cares to list them: only type fr can be written.
#[test]
fn models_without_square_bits_are_of_type_fr() {
    let table = Store::new(None).get(&material("KvK")).unwrap();
    for model in Model::ALL {
        let kind = natural_type(model);
        assert_eq!(kind, if model == Model::Binary { PlaType::Fdr } else { PlaType::Fr });
        let written = |kind| write_pla(&table, model, &Scope::default(), kind, &mut Vec::new());
        written(kind).unwrap();
        let fdr = written(PlaType::Fdr).map_err(|error| error.to_string());
        assert_eq!(fdr.is_ok(), model == Model::Binary);
        assert!(fdr.is_ok() || fdr.unwrap_err().contains("too many don't-cares to list"), "{model}");
    }
}

/// For every model the PLA of a table is minimized and packed, and the file is right on the whole board.
#[test]
fn every_model_goes_through_text_and_back() {
    go_through_text("KvK", &Model::ALL);
    go_through_text("KRvK", &[Model::Binary, Model::Board]);
}

#[test]
#[ignore = "minutes: hundreds of parts"]
fn wide_models_go_through_text_and_back() {
    go_through_text("KRvK", &[Model::Geometry, Model::Attack]);
}

fn go_through_text(name: &str, models: &[Model]) {
    let table = Store::new(None).get(&material(name)).unwrap();
    for &model in models {
        let mut text = Vec::new();
        write_pla(&table, model, &Scope::default(), natural_type(model), &mut text).unwrap();
        let function = Function::from_pla(&Pla::read(text.as_slice()).unwrap()).unwrap();
        // A single pass: the loop of the widest functions takes a minute.
        let steps = Step::parse_list("compact,expand,irredundant,reduce").unwrap();
        let options = minimize::Options { steps, ..minimize::Options::default() };
        let (cover, _) = minimize::minimize(&function, &options).unwrap();
        check::result(&function, &cover).unwrap();
        text.clear();
        Pla::from_cover(cover).write(&mut text, PlaType::F).unwrap();
        let minimized = Pla::read(text.as_slice()).unwrap().on;
        let options = covers::Options { model, ..covers::Options::default() };
        let built = covers::pack(&table, &minimized, &options).unwrap();
        assert_eq!(built.pcn.model(), model);
        let decoded = probe::Prober::decode(&built.bytes).unwrap();
        pipeline::verify(&decoded, &table, Symmetries::All, pipeline::Monitor::default()).unwrap();
        // A cover with a second outcome for a row, and one that leaves rows out, are refused.
        let mut wrong = minimized.clone();
        wrong.extend(&Cover::universe(wrong.space()));
        let mut short = minimized.clone();
        short.retain(|i, _| i > 0);
        for cover in [wrong, short] {
            let error = covers::pack(&table, &cover, &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Mismatch, "{name} {model}: {error}");
            assert!(error.to_string().contains("is no cover of"), "{name} {model}: {error}");
        }
    }
}

fn outputs(cover: &Cover, minterm: &[u64]) -> [bool; 3] {
    let space = cover.space();
    let mut found = [false; 3];
    for cube in cover.iter().filter(|cube| contains(cube, minterm)) {
        for (output, found) in found.iter_mut().enumerate() {
            *found |= space.get(cube, space.inputs(), output);
        }
    }
    found
}

/// Checks random samples of a function that has too many inputs to check all.
fn check_samples(name: &str, samples: u32) {
    let material = material(name);
    let table = Store::new(None).get(&material).unwrap();
    let scope = Scope::default();
    let exported = paper_function(&table, Model::Binary, &scope).unwrap();
    let (space, function) = (exported.columns.space().clone(), exported.function);
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    for _ in 0..samples {
        let turn = Color::BOTH[noise.below(2)];
        let code = if material.has_en_passant() { noise.below(16) as u8 } else { 0 };
        let mut squares: Vec<_> = (0..material.len()).map(|_| Square::new(noise.below(64) as u8)).collect();
        // Half of the samples have pawns where an en-passant capture can arise.
        if code >= 8 && noise.below(2) == 1 {
            let (rank, pushed) = if turn == Color::Black { (3, 2) } else { (4, 3) };
            squares[pushed] = Square::at(code & 7, rank);
            squares[5 - pushed] = Square::at(code & 7 ^ 1, rank);
        }
        let position = Position::new(material, &squares, turn, (code >= 8).then_some(code & 7));
        let mut parts = vec![0; Model::Binary.variables(&material).len()];
        Model::Binary.evaluate(&position, &mut parts);
        if material.has_en_passant() {
            let at = parts.len() - 4;
            (0..4).for_each(|bit| parts[at + bit] = code >> (3 - bit) & 1);
        }
        let mut minterm = vec![0; space.words()];
        space.set(&mut minterm, 0, turn.index());
        for (variable, part) in parts.iter().enumerate() {
            space.set(&mut minterm, variable + 1, *part as usize);
        }
        let [on, dc, off] = [&function.on, &function.dc, &function.off].map(|cover| outputs(cover, &minterm));
        let named = code == 0 || code >= 8;
        let care = named && position.is_legal() && position.is_canonical(scope.anchors[turn.index()]);
        if care {
            let outcome = table.wdl(&position).unwrap();
            assert_eq!(on, OUTPUTS.map(|output| output == outcome));
            assert_eq!(off, OUTPUTS.map(|output| output != outcome));
            assert_eq!(dc, [false; 3]);
        } else {
            assert_eq!((on, dc, off), ([false; 3], [true; 3], [false; 3]), "{}", position.to_fen());
        }
    }
}

#[test]
#[ignore = "minutes: four men"]
fn blocks_of_identical_men_and_of_en_passant_codes() {
    check_samples("KRRvK", 2000);
    check_samples("KPvKP", 2000);
}

/// A model with multi-valued inputs is written with `.mv`, binary inputs first, and reads back the same.
#[test]
fn multi_valued_models_are_written_with_their_parts() {
    let table = Store::new(None).get(&material("KvK")).unwrap();
    let scope = Scope::default();
    for (model, header) in [(Model::Board, ".mv 6 1 8 8 8 8 3"), (Model::Geometry, ".mv 9 1 8 8 8 8 8 8 8 3")]
    {
        let mut text = Vec::new();
        write_pla(&table, model, &scope, PlaType::Fr, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().any(|line| line == header), "{model}");
        assert!(text.starts_with("# file.wk: 8 parts\n# file.bk: 8 parts\n# rank.wk: 8 parts\n"), "{model}");
        assert!(text.lines().any(|line| line == ".ilb black_to_move"), "{model}");
        let exported = paper_function(&table, model, &scope).unwrap();
        let read = Pla::read(text.as_bytes()).unwrap();
        assert_eq!(read.on.len(), exported.function.on.len());
        assert_eq!(read.off.len(), exported.function.off.len());
    }
}
