//! The definition of the command line. Parsing, help, usage errors, completions and manual pages all come from it.

// The comments are the help texts, which are not Markdown.
#![allow(clippy::doc_markdown)]

use super::values::{Format, InfoFormat, PlaTypeArg, bytes, effort, hours, metrics};
use crate::pcn::Codec;
use crate::pipeline::DEFAULT_EFFORT;
use crate::retrograde::Metric;
use clap::{Args, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

/// Chess endgame tables as two-level logic: generate, minimize, pack, check and probe.
#[derive(Debug, Parser)]
#[command(name = "cubebase", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 fine, 1 a check found a mismatch, 2 usage or unknown material, 3 bad input \
                        or corrupt file, 4 internal error, 130 interrupted."
)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
    /// Number of threads; by default that of the variable `RAYON_NUM_THREADS`, or all cores.
    #[arg(long, global = true, value_name = "N", value_parser = espresso::limits::parse_threads)]
    pub threads: Option<u16>,
    /// Memory limit: bytes, or with K, M, G or T (powers of 1024); by default the available memory. A run that needs more is
    /// refused before it begins, exit status 3.
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Show no progress, even on a terminal.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// When to print in colour: auto, always or never. The default, auto, means on a terminal, unless the variable NO_COLOR is
    /// set.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    pub color: clap::ColorChoice,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make outcome tables by retrograde analysis, sub-tables first.
    #[command(after_help = "Example: cubebase generate 3 --out tables\n         \
                            cubebase generate KQvKR --metric dtm --out tables\n         \
                            cubebase generate KRPvKR --out tables --estimate\n\n\
                            Prints a line for each finished table, sub-tables included. To continue a run that was \
                            interrupted or killed, give the same command again: existing tables are checked \
                            and kept. A damaged or foreign file is an error and is never overwritten.")]
    Generate(Generate),
    /// Write a table's function as a PLA for a two-level minimizer.
    #[command(after_help = "Example: cubebase export KQvK --tables tables -o KQvK.pla\n         \
                            cubebase export KRvK --model geometry -o KRvK.pla")]
    Export(Export),
    /// Turn a minimized PLA into a .pcn file, and check it.
    #[command(after_help = "Example: espresso KQvK.pla -o KQvK.min.pla\n         \
                            cubebase pack KQvK.min.pla --material KQvK -o KQvK.pcn")]
    Pack(Pack),
    /// Minimize a table into a .pcn file, without a PLA in between, and check it.
    #[command(after_help = "Example: cubebase minimize KPvK --tables tables -o KPvK.pcn")]
    Minimize(Minimize),
    /// Build .pcn files from nothing: generate, minimize, pack, check every canonical position.
    #[command(after_help = "Example: cubebase build 3 --out tables\n         \
                            cubebase build KQvKR --out tables --keep-tables")]
    Build(Build),
    /// Add castling rights to .pcn files, and check them on every position with rights.
    #[command(after_help = "Example: cubebase castle tables\n         \
                            cubebase castle KRvKP.pcn --tables outcomes\n\n\
                            Each file is replaced by one with the same clauses, followed by the few positions where \
                            rights make a difference. Files of materials without a rook stay as they are. The outcome tables \
                            of the material and of those that its captures and promotions lead to are read or generated.")]
    Castle(Castle),
    /// Show the dependencies, memory and time of each table, one job a table, sub-tables first; make none.
    #[command(after_help = "Example: cubebase plan 5\n         \
                            cubebase plan KRPvKR --memory 8G --format json")]
    Plan(Plan),
    /// Bundle many .pcn files into one file.
    #[command(after_help = "Example: cubebase bundle tables -o tables.pcb\n         \
                            cubebase bundle tables.pcb more KQvKR.pcn -o all.pcb\n         \
                            cubebase probe --tables tables.pcb \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n\n\
                            Every command that reads .pcn files, except castle, reads bundles too, under any name.")]
    Bundle(Bundle),
    /// Answer positions from outcome tables: win, draw or loss, and the distance where it is stored.
    #[command(
        after_help = "Example: cubebase lookup --tables tables \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n         \
                            cubebase lookup --tables tables --format json - < positions.txt\n\n\
                            Tables with distances to zeroing also give the outcome under the 50-move rule, from a \
                            counter of zero: outcome_50_moves in JSON. Only the blocks of a file that hold an answer \
                            are read. Exit status 3 when any answer was an error."
    )]
    Lookup(Lookup),
    /// Answer positions from .pcn files: win, draw or loss for the side to move. Tables of up to four men are built in.
    #[command(after_help = "Example: cubebase probe \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n         \
                            cubebase probe --tables tables --tables five.pcb - < positions.txt\n\n\
                            Prints one line for each position: win, draw or loss. An error about a FEN argument goes \
                            to standard error; for a line of standard input, its answer is error: and the reason. \
                            Standard input is answered by all threads, in order, in constant memory; a typed line \
                            is answered at once. Exit status 3 when any answer was an error.\n\n\
                            In format json an error is an object with the status, the message and the FEN. The status is \
                            bad_input (no FEN, or in chess a side without its one king), illegal_position, unsupported_position \
                            (castling rights of Chess960, too many men), missing_table or missing_rights (the table has no castling rights: see \
                            castle); of files of a directory or bundle io, bad_magic, \
                            unsupported_version, corrupt, or mismatch (of distances or a ranking with the outcomes); of a name in explain \
                            --plan bad_material.\n\n\
                            With --distance each outcome is followed by the plies to zeroing as Syzygy counts them, exact: to the \
                            next capture or pawn move, or to mate; negative if lost (-1 for mate), 0 if drawn, and drawn by the 50-move \
                            rule beyond 100. In JSON these are the fields dtz and outcome_50_moves, from a counter of zero. \
                            Files have the distances of won positions; for the others the moves are made. Chess alone has them.\n\n\
                            With --rule each outcome is one of five: win, cursed-win, draw, blessed-loss or loss, under the 50-move \
                            rule from a counter of zero. No moves are made. From five men on it is an error if the file of outcomes was \
                            made from a table without distances to zeroing, unless there is a file of distances.")]
    Probe(Probe),
    /// List every legal move of positions with the outcome and the distance after it, best first.
    #[command(after_help = "Example: cubebase moves \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n         \
                            cubebase moves --tables five.pcb --format json - < positions.txt\n\n\
                            The first line is the outcome for the side to move, under the 50-move rule with the FEN's halfmove clock, and \
                            the plies to zeroing: to the next capture or pawn move, or to mate. Then one line for each move: SAN, UCI, \
                            the outcome and the plies after it for the same side, and notes such as capture or check. Where no table \
                            answers, the outcome is unknown; where no table has distances, there are no plies, and the outcome is that with a clock of 0, as far as the table knows the rule. With several positions, an empty \
                            line ends each answer. Format json has the fields of lichess's tablebase server, on one line; \
                            there the category and the distance of a move are from the opponent's view. For Chinese chess it has fen, outcome and moves, each with \
                            move and outcome, null where unknown. Errors are as with probe, but Chess960 rights \
                            and many men are none: the moves are listed. Exit status 3 when any answer was an error.")]
    Moves(Planned),
    /// Print best play from positions, with the distance to zeroing after each move, on to mate.
    #[command(after_help = "Example: cubebase line \"8/8/8/8/8/2k5/1Q6/K7 b - - 0 1\"\n         \
                            cubebase line --tables five.pcb --format json - < positions.txt\n\n\
                            The winner takes the shortest way to the next capture, pawn move or mate, and the loser the longest. The line \
                            ends with mate, or when the halfmove clock, which the FEN gives, comes to 100. Printed is one line for each \
                            ply: its number, SAN, UCI, the plies to zeroing after it, and notes. Format json has the fields of \
                            lichess's tablebase server for its main line. Exit status 3 when any answer was an error.")]
    Line(Planned),
    /// Explain answers: the clause that decides, its conditions in words, the squares where each man may stand for it, and
    /// the number of positions it holds for.
    #[command(after_help = "Example: cubebase explain \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n         \
                            cubebase explain --svg pawn.svg \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"\n         \
                            cubebase explain --no-count --format json - < positions.txt\n\n\
                            All sentences describe the board as given, even if the table holds a mirror image of it. \
                            Beside each condition stands the position's own value. Then follows a board for each man, \
                            with the squares to which it alone can be moved so that the same clause decides. \
                            Format json is one line a position: fen, turn, outcome, material, model, model_version; \
                            decided_by (leaf or clause), section, number, stated (the clause's outcome), \
                            is_exception; rule (null, or the decision of the 50-move rule: outcome, leaf, is_exception); conditions, each with sentence, value, is_turned, and the model's variable, \
                            allowed and value_number; orientation (of the board, for is_turned); canonical; men, each with name, \
                            letter, square, squares, exceptions; castling (the rights) and without_castling (the outcome without \
                            them, which the clause states); coverage: positions, met, decided, exceptions. For Chinese chess (ten ranks) there \
                            is one board and no count, game and is_exchanged (the colours, in canonical) in json, and --svg is refused. Exit status 3 when any \
                            answer was an error.")]
    Explain(Explain),
    /// Find problems in .pcn files, directories and bundles, advise on each, and list missing tables.
    #[command(after_help = "Example: cubebase doctor tables five.pcb\n         \
                            cubebase doctor --complete 4 tables\n         \
                            cubebase doctor\n\n\
                            Checks headers, checksums and versions, decodes everything, compares names with contents, \
                            and finds duplicate tables. To check the answers themselves, use verify. Missing tables \
                            are those of chess. Exit status 1 when a problem was found, 3 when a path cannot be read.")]
    Doctor(Doctor),
    /// Check .pcn files against freshly generated tables on every legal position, symmetric ones too, and against
    /// Syzygy files.
    #[command(after_help = "Example: cubebase verify tables\n         \
                            cubebase verify tables/KQvK.pcn --syzygy syzygy\n         \
                            cubebase verify five --syzygy syzygy345/wdl --syzygy more")]
    Verify(Verify),
    /// Show the contents of .pcn files and outcome tables: a line a file for a directory or bundle, details for a single file.
    #[command(visible_alias = "list")]
    #[command(after_help = "Example: cubebase info\n         \
                            cubebase info tables/KQvK.pcn\n         \
                            cubebase info tables --format csv")]
    Info(Info),
    /// Count the outcomes in outcome tables by side to move, and find the longest distance.
    #[command(after_help = "Example: cubebase stats tables/KQvKR.dtm\n         \
                            cubebase stats tables --format json")]
    Stats(Stats),
    /// Compare the sizes of .pcn files with Syzygy's and the paper's, as text or as a page.
    #[command(after_help = "Example: cubebase compare tables\n         \
                            cubebase compare board geometry auto\n         \
                            cubebase compare tables --html report.html --record probes.csv\n         \
                            cubebase compare --baselines baselines.csv\n\n\
                            Several directories or bundles give a column each, named by the last part of the path. \
                            The worst ratio ignores Syzygy's files under 128 bytes.")]
    Compare(Compare),
    /// Print a shell's completion script for this command.
    #[command(
        after_help = "Example: cubebase completions bash > ~/.local/share/bash-completion/completions/cubebase\n         \
                            cubebase completions zsh > ~/.zfunc/_cubebase\n         \
                            cubebase completions fish > ~/.config/fish/completions/cubebase.fish\n\n\
                            The directory must exist. For zsh it must be in fpath before compinit runs. A new shell has \
                            the completions."
    )]
    Completions(Completions),
    /// Write manual pages, one for each command.
    #[command(after_help = "Example: cubebase man --out ~/.local/share/man/man1\n\n\
                            Then man cubebase-build shows what cubebase build --help says.")]
    Man(Man),
}

#[derive(Debug, Args)]
pub struct Generate {
    /// Materials (KQvKR), or N for all tables of up to N men.
    #[arg(required = true, value_name = "MATERIAL|N")]
    pub targets: Vec<String>,
    /// Directory for the tables, created if missing. Tables already in it are used.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Contents of the tables: only outcomes (wdl), or also distances to mate (dtm), to conversion (dtc), or to zeroing the
    /// counter of the 50-move rule (dtz). Tables of dtz also give the outcomes under that rule.
    #[arg(long, value_parser = metrics(), default_value = "wdl")]
    pub metric: Metric,
    /// Print the memory, time and file size that each table would take, and make none.
    #[arg(long)]
    pub estimate: bool,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Export {
    /// Material (KQvKR).
    pub material: String,
    /// Directory of outcome tables; missing ones are generated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: Option<PathBuf>,
    /// Input model; by default binary, and board for Chinese chess.
    #[arg(long, value_name = "M")]
    pub model: Option<String>,
    /// Type of the PLA; by default fdr for model binary, and fr for the others, which have too many don't-cares to list.
    #[arg(long, value_enum, value_name = "TYPE")]
    pub r#type: Option<PlaTypeArg>,
    /// Export all legal positions instead of making acanonical ones don't-cares.
    #[arg(long)]
    pub no_canonical: bool,
    /// File to write; standard output by default.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Pack {
    /// Minimized PLA, ours or another program's; `-` for standard input.
    pub pla: PathBuf,
    /// Material of the PLA.
    #[arg(long, value_name = "M")]
    pub material: String,
    /// Input model of the PLA.
    #[arg(long, value_name = "M", default_value = "binary")]
    pub model: String,
    /// Directory of outcome tables to check against; missing ones are generated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: Option<PathBuf>,
    /// Coding of the clauses.
    #[arg(long, value_enum, default_value_t = Codec::Compressed)]
    pub codec: Codec,
    /// File to write.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// How tables are minimized.
#[derive(Debug, Args)]
pub struct Minimizer {
    /// Make the distances to zeroing of won positions, from which the distances of all positions follow, in place of the
    /// outcomes: files named like KQvK.dtz.pcn, to be put beside those of the outcomes. Model attack is the default.
    #[arg(long)]
    pub distances: bool,
    /// Make a ranking of the won positions, by which they are won without distances, in place of the outcomes: files named like
    /// KQvK.rank.pcn, to be put beside those of the outcomes. A level falls within this many pairs of moves, 1 to 3, by default 2.
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, require_equals = true, default_missing_value = "2", conflicts_with = "distances", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub ranking: Option<u8>,
    /// Input model: board, geometry or attack; auto keeps the smallest file.
    #[arg(long, value_name = "M", default_value = "auto")]
    pub model: String,
    /// Coding of the clauses.
    #[arg(long, value_enum, default_value_t = Codec::Compressed)]
    pub codec: Codec,
    /// Search effort, 1 to 4: more candidates, more trees grown, more positions sampled; from 3 on every man is tried as the
    /// anchor of outcomes. Distances: one greedy tree, from 2 on a second one with the costs of the first, from 3 on with a search,
    /// at 4 a third on larger samples. Every effort gives the same answers; the same effort gives the same bytes.
    #[arg(long, value_name = "1-4", default_value_t = DEFAULT_EFFORT, value_parser = effort, allow_hyphen_values = true)]
    pub effort: u8,
}

#[derive(Debug, Args)]
pub struct Minimize {
    /// Material (KQvKR).
    pub material: String,
    /// Directory of outcome tables; missing ones are generated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: Option<PathBuf>,
    /// How to minimize.
    #[command(flatten)]
    pub minimizer: Minimizer,
    /// File to write.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct Build {
    /// Materials (KQvKR), or N for all tables of up to N men.
    #[arg(required = true, value_name = "MATERIAL|N")]
    pub targets: Vec<String>,
    /// Directory for the .pcn files, created if missing.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Write the outcome tables there too. Existing ones are used in any case.
    #[arg(long)]
    pub keep_tables: bool,
    /// Add castling rights, as `cubebase castle` does.
    #[arg(long)]
    pub castling: bool,
    /// How to minimize.
    #[command(flatten)]
    pub minimizer: Minimizer,
    /// How the summary is printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Castle {
    /// .pcn files, or directories of .pcn files.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Directory of outcome tables; missing ones are generated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Plan {
    /// Materials (KQvKR), or N for all tables of up to N men; sub-tables are added.
    #[arg(required = true, value_name = "MATERIAL|N")]
    pub targets: Vec<String>,
    /// How to minimize.
    #[command(flatten)]
    pub minimizer: Minimizer,
    /// Budget for generating and minimizing, in hours of estimated processor time. As few of the largest tables as necessary
    /// get effort 1.
    #[arg(long, value_name = "HOURS", value_parser = hours, allow_hyphen_values = true)]
    pub budget: Option<f64>,
    /// How the plan is printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Bundle {
    /// .pcn files, bundles, or directories of .pcn files; no two tables of one material.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// File to write.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct Lookup {
    /// Directory of outcome tables.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: PathBuf,
    /// Positions as FEN, or - to read one a line from standard input.
    #[arg(required = true, value_name = "FEN|-")]
    pub positions: Vec<String>,
    /// How answers are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Probe {
    #[command(flatten)]
    pub query: Query,
    /// Print distances to zeroing too.
    #[arg(long)]
    pub distance: bool,
    /// Print outcomes under the 50-move rule, from a counter of zero.
    #[arg(long, conflicts_with = "distance")]
    pub rule: bool,
}

#[derive(Debug, Args)]
pub struct Query {
    /// Directory of .pcn files, a bundle, or a single .pcn file; may be given several times. The tables of up to four men
    /// are built in. If several have a table of the same material, the last one answers, even without castling rights.
    /// Several paths may also be separated by a colon (on Windows a semicolon). Without this option the environment variable
    /// `CUBEBASE_TABLES` may name such paths.
    #[arg(long, value_name = "PATH")]
    pub tables: Vec<PathBuf>,
    /// Positions as FEN, or - to read one a line from standard input.
    #[arg(required = true, value_name = "FEN|-")]
    pub positions: Vec<String>,
    /// How answers are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Positions whose moves are asked for.
#[derive(Debug, Args)]
pub struct Planned {
    /// Tables and positions.
    #[command(flatten)]
    pub query: Query,
    /// In won positions, take the move by a ranking alone (KQvK.rank.pcn beside KQvK.pcn). From a halfmove clock of zero
    /// such moves mate or zero within 50 moves, though not in the fewest.
    #[arg(long)]
    pub plan: bool,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// Tables and positions.
    #[command(flatten)]
    pub query: Query,
    /// Also draw the explanation as an SVG file; for one position.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Do not count the positions that the clause holds for, which takes seconds with five men.
    #[arg(long)]
    pub no_count: bool,
    /// Explain the level that a ranking gives to a won position, or, for a material in place of a FEN, all its rules.
    #[arg(long, conflicts_with_all = ["svg", "no_count"])]
    pub plan: bool,
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// .pcn files, bundles, or directories of .pcn files; the built-in outcomes by default.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Report missing tables of up to N men as a problem.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=crate::chess::position::MAX_MEN as i64))]
    pub complete: Option<u8>,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// A .pcn file, a bundle or a directory of .pcn files.
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// Directory of outcome tables to check against; missing ones are generated. By default all are generated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tables: Option<PathBuf>,
    /// Directory of Syzygy files (.rtbw) to compare with too; may be given several times. The checksum of each file is
    /// checked before use.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub syzygy: Vec<PathBuf>,
    /// Check only canonical positions, one of each symmetry class, both sides to move: up to sixteen times quicker. Files of
    /// Chinese chess are always checked so.
    #[arg(long)]
    pub canonical: bool,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Info {
    /// .pcn or table files, bundles, or directories of files; the built-in outcomes by default.
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: InfoFormat,
}

#[derive(Debug, Args)]
pub struct Stats {
    /// Outcome tables, or directories of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Compare {
    /// Directories of .pcn files, or bundles; several are compared side by side.
    #[arg(required_unless_present = "baselines", value_name = "DIR|FILE")]
    pub paths: Vec<PathBuf>,
    /// Record of tools/baselines, which measures many ways to store a table: each is a column, on the page a point.
    #[arg(long, value_name = "RECORD", value_hint = ValueHint::FilePath)]
    pub baselines: Option<PathBuf>,
    /// Directory of Syzygy files (.rtbw) to take sizes from instead of the built-in ones; may be given several times.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub syzygy: Vec<PathBuf>,
    /// Write a self-contained HTML page: charts of sizes, bytes by content, and a sortable table.
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub html: Option<PathBuf>,
    /// Times for the page; may be given several times. The output of build --format json, or CSV as tools/bench and
    /// tools/campaign print it: a column material or table, and some of seconds, generate_cpu_seconds and
    /// minimize_cpu_seconds, ours_ns, fathom_ns, first_answer_milliseconds.
    #[arg(long, value_name = "FILE", requires = "html")]
    pub record: Vec<PathBuf>,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
    #[command(flatten)]
    pub unused: Unused,
}

/// Global options that every command accepts, hidden from the help of a command that does not use them.
#[derive(Debug, Args)]
pub struct Unused {
    #[arg(long, hide = true, value_parser = espresso::limits::parse_threads)]
    threads: Option<u16>,
    #[arg(long, hide = true, value_parser = bytes)]
    memory: Option<u64>,
    #[arg(long, short, hide = true)]
    quiet: bool,
}

#[derive(Debug, Args)]
pub struct Man {
    /// Directory for the pages, created if missing.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    #[command(flatten)]
    pub unused: Unused,
}
