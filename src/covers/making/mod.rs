//! Making covers of tables, and packing them.

mod blocks;
mod columns;
mod function;
mod memory;
mod options;
mod pack;
mod pla;
mod placements;
mod scope;
mod sections;

pub use columns::{Columns, OUTPUTS};
pub use function::{Exported, paper_function};
pub use memory::check_function_memory;
pub use options::Options;
pub use pack::pack;
pub use pla::{check_type, natural_type, write_pla};
pub use scope::Scope;
