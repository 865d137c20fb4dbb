//! Exported functions: care-sets and don't-care blocks together are the whole input space, and say what the table says.

use cubebase::export::{OUTPUTS, Scope, independent, layer, write_pla};
use cubebase::position::{MAX_MEN, Position, Square};
use cubebase::retrograde::Store;
use cubebase::{Color, Material, Model, Wdl};
use espresso::pla::{Pla, PlaType};
use espresso::{Cover, Function, check};
use proptest::prelude::*;

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
            let exported = independent(&table, Model::Binary, &scope).unwrap();
            check::consistent(&exported.function).unwrap();
            assert_eq!(exported.function.on.len(), count, "{name} {scope:?}");
            assert_eq!(exported.function.off.len(), count, "{name} {scope:?}");
        }
        for &turn in table.material().stored_turns() {
            let layer =
                layer(&table, Model::Binary, &Scope::default(), turn, Wdl::Draw, &[Wdl::Loss, Wdl::Win])
                    .unwrap();
            check::consistent(&layer.function).unwrap();
            let [loss, draw, win] = table.counts(turn);
            assert_eq!(layer.function.on.len() as u64, draw);
            assert_eq!(layer.function.off.len() as u64, loss + win);
        }
    }
}

#[test]
fn every_man_can_lead() {
    let table = Store::new(None).get(&material("KPvK")).unwrap();
    for lead in 0..3 {
        let scope = Scope { canonical: true, leads: [lead, 2 - lead] };
        let exported = independent(&table, Model::Binary, &scope).unwrap();
        check::consistent(&exported.function).unwrap();
        assert_eq!(exported.function.on.len(), 165_676);
    }
    let scope = Scope { canonical: true, leads: [0, 3] };
    assert!(independent(&table, Model::Binary, &scope).is_err());
}

#[test]
fn text_in_between_keeps_the_function() {
    let table = Store::new(None).get(&material("KQvK")).unwrap();
    let exported = independent(&table, Model::Binary, &Scope::default()).unwrap();
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

/// Which outputs of a minterm the cover has.
fn outputs(cover: &Cover, minterm: &[u64]) -> [bool; 3] {
    let space = cover.space();
    let mut found = [false; 3];
    for cube in
        cover.iter().filter(|cube| cube.iter().zip(minterm).all(|(cube, minterm)| minterm & !cube == 0))
    {
        for (output, found) in found.iter_mut().enumerate() {
            *found |= space.get(cube, space.inputs(), output);
        }
    }
    found
}

/// A function over so many inputs that only samples can be checked: two of a kind, and both sides with pawns.
fn check_samples(name: &str, samples: u32) {
    let material = material(name);
    let table = Store::new(None).get(&material).unwrap();
    let scope = Scope::default();
    let exported = independent(&table, Model::Binary, &scope).unwrap();
    let (space, function) = (exported.columns.space().clone(), exported.function);
    let squares = proptest::collection::vec(0u8..64, material.len());
    let codes = if material.has_en_passant() { 0u8..16 } else { 0u8..1 };
    // Half of the samples have pawns where an en-passant capture can arise.
    let case = (squares, codes, any::<bool>(), any::<bool>());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(samples));
    runner
        .run(&case, |(mut squares, code, black, beside)| {
            if beside && code >= 8 {
                let rank = if black { 3 } else { 4 };
                let file = code & 7;
                let pushed = if black { 2 } else { 3 };
                squares[pushed] = rank * 8 + file;
                squares[5 - pushed] = rank * 8 + (file ^ 1);
            }
            let turn = if black { Color::Black } else { Color::White };
            let squares: Vec<Square> = squares.into_iter().map(Square::new).collect();
            prop_assert!(squares.len() <= MAX_MEN);
            let file = (code >= 8).then_some(code & 7);
            let position = Position::new(material, &squares, turn, file);
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
            let [on, dc, off] =
                [&function.on, &function.dc, &function.off].map(|cover| outputs(cover, &minterm));
            let named = code == 0 || code >= 8;
            let care = named && position.is_legal() && position.is_canonical(scope.leads[turn.index()]);
            if care {
                let outcome = table.wdl(&position).unwrap();
                prop_assert_eq!(on, OUTPUTS.map(|output| output == outcome));
                prop_assert_eq!(off, OUTPUTS.map(|output| output != outcome));
                prop_assert_eq!(dc, [false; 3]);
            } else {
                prop_assert_eq!((on, dc, off), ([false; 3], [true; 3], [false; 3]), "{}", position.to_fen());
            }
            Ok(())
        })
        .unwrap();
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
        assert!(text.contains(".ilb black_to_move file.wk file.bk rank.wk rank.bk"), "{model}");
        let exported = independent(&table, model, &scope).unwrap();
        let read = Pla::read(text.as_bytes()).unwrap();
        assert_eq!(read.on.len(), exported.function.on.len());
        assert_eq!(read.off.len(), exported.function.off.len());
    }
}
