//! Checks the figures against the paper's.
//!
//! Only equal position sets are compared. On the full board, our covers must have at most the paper's clauses after each
//! treatment of table 3. With the paper's canonical positions, they must have in sum at most its clauses after irredundancy
//! (table 4), and at most a twentieth more for any one table. The numbers of positions must be exactly the paper's, except
//! for `KNvKP`, where the paper has that of `KRvKP`. Our complete canonical sets have up to twice the paper's positions if
//! the men are distinct, with the harder half among them, so their clauses are not compared.

use crate::measure::Measured;
use crate::published;
use crate::record::Row;

/// The table whose number of positions the paper misprints.
const MISPRINTED: &str = "KNvKP";

/// The largest ratio of a table's clauses to the paper's, 21/20, as for the 21 clauses of `KBvKN`.
const MOST: (u64, u64) = (21, 20);

/// Returns a message for every figure that fails the check.
pub fn faults(small: &[Measured], rows: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    for line in small {
        let name = format!("{}, {}", line.material, line.set());
        if published::counts(&line.material, line.canonical) != line.counts.map(Some) {
            faults.push(format!("{name}: {:?} are not the paper's positions", line.counts));
        }
        let theirs = published::treatments(&line.material, false);
        let is_more = |(&ours, theirs): (&u64, Option<u64>)| theirs.is_some_and(|theirs| ours > theirs);
        if !line.canonical && line.clauses.iter().zip(theirs).any(is_more) {
            faults.push(format!("{name}: {:?} are more clauses than the paper's", line.clauses));
        }
    }
    let (mut ours, mut theirs) = (0, 0);
    for row in rows {
        let [positions, .., clauses, _] = published::clauses(&row.material);
        let Some((half, clauses)) = row.half_irredundant_clauses.zip(clauses) else { continue };
        if row.half_positions != positions && row.material != MISPRINTED {
            faults.push(format!("{}: {:?} are not the paper's positions", row.material, row.half_positions));
        }
        if half * MOST.1 > clauses * MOST.0 {
            faults.push(format!("{}: {half} clauses, the paper has {clauses}", row.material));
        }
        ours += half;
        theirs += clauses;
    }
    // One table may have some clauses more than the paper's; all together must not.
    if rows.len() == ALL && ours > theirs {
        faults.push(format!("{ours} clauses like for like in sum, the paper has {theirs}"));
    }
    faults
}

/// The number of tables of up to four men.
const ALL: usize = 36;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    fn recorded() -> Vec<Row> {
        record::read(include_str!("../../../docs/paper-table4-5.csv").as_bytes()).unwrap()
    }

    #[test]
    fn the_record_has_no_fault() {
        assert_eq!(faults(&[], &recorded()), [""; 0]);
    }

    #[test]
    fn more_clauses_than_the_papers_are_found() {
        let mut rows = recorded();
        let bishop = rows.iter().position(|row| row.material == "KBvKN").unwrap();
        assert_eq!(rows[bishop].half_irredundant_clauses, Some(21));
        rows[bishop].half_irredundant_clauses = Some(22);
        assert_eq!(faults(&[], &rows), ["KBvKN: 22 clauses, the paper has 20"]);
        // The sum is 832 below the paper's: if one table has more clauses, the others must have fewer.
        rows[bishop].half_irredundant_clauses = Some(21);
        let knight = rows.iter().position(|row| row.material == "KRvKN").unwrap();
        let clauses = rows[knight].half_irredundant_clauses.unwrap();
        rows[knight].half_irredundant_clauses = Some(clauses + 832);
        assert_eq!(faults(&[], &rows), [""; 0]);
        rows[knight].half_irredundant_clauses = Some(clauses + 833);
        assert_eq!(faults(&[], &rows), ["263053 clauses like for like in sum, the paper has 263052"]);
        rows[knight].half_positions = Some(1);
        assert_eq!(faults(&[], &rows[knight..=knight]).len(), 1);
    }

    #[test]
    fn tables_2_and_3_are_held_against_the_paper() {
        let (counts, clauses) = ([144_508, 23_048, 200_896], [19_024, 1_379, 1_118]);
        let right =
            Measured { material: "KQvK".into(), canonical: false, counts, clauses, seconds: [0.0; 3] };
        assert_eq!(faults(std::slice::from_ref(&right), &[]), [""; 0]);
        let more = Measured { clauses: [19_024, 1_380, 1_118], ..right.clone() };
        let fewer = Measured { counts: [144_507, 23_048, 200_896], ..right };
        assert_eq!((faults(&[more], &[]).len(), faults(&[fewer], &[]).len()), (1, 1));
    }
}
