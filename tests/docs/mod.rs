//! Tests of the texts: their commands are run, their links lead somewhere, their figures are those of the records.

mod blocks;
mod console;
mod figures;
mod links;
mod names;
mod texts;
