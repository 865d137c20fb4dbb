//! Tests across rooms, in one program. With feature `std` alone there are few; `.ci/run` compiles these, but runs them
//! only with all others.

#[cfg(feature = "build")]
mod bundle;
#[cfg(all(feature = "cli", unix))]
mod campaign;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "build")]
mod covers;
#[cfg(feature = "build")]
mod distances;
#[cfg(all(feature = "cli", unix))]
mod docs;
#[cfg(feature = "cli")]
mod doctor;
#[cfg(feature = "cli")]
mod examples;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "build")]
mod five_men;
#[cfg(feature = "build")]
mod frozen;
#[cfg(all(feature = "build", feature = "explain"))]
mod fuzz;
#[cfg(feature = "cli")]
mod generate;
#[cfg(feature = "cli")]
mod hostile;
mod imports;
#[cfg(feature = "cli")]
mod moves;
mod noise;
#[cfg(feature = "cli")]
mod plan;
mod position;
#[cfg(all(feature = "build", feature = "moves"))]
mod rankings;
#[cfg(all(feature = "build", feature = "explain"))]
mod reader;
#[cfg(feature = "cli")]
mod report;
#[cfg(all(feature = "cli", unix))]
mod resume;
#[cfg(feature = "build")]
mod retrograde;
#[cfg(all(feature = "cli", unix))]
mod shell;
#[cfg(feature = "build")]
mod skip;
#[cfg(feature = "build")]
mod xiangqi;
#[cfg(feature = "cli")]
mod xiangqi_commands;
