//! Times probes of the FENs in a file: prints nanoseconds a probe (the median of ten rounds) and the number of wins.

use cubebase_web::Sample;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give a file with a FEN a line")?;
    let sample = Sample::new(&std::fs::read_to_string(path)?);
    let mut seconds: Vec<f64> = (0..10)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..20 {
                std::hint::black_box(sample.wins());
            }
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    println!("{:.1} {}", seconds[5] / 20.0 / sample.size() as f64 * 1e9, sample.wins());
    Ok(())
}
