//! What `--help` teaches: examples of every command, and its exit codes. The commands that bring long texts of their own (`allocate`,
//! `account`, `audit`) have them beside their arguments. A test runs every example that stands alone.

pub(super) const PROGRAM: &str = "\
Start:
  epsweep new mine --data people.csv        a commented file about a CSV file of yours (or without --data)
  epsweep check mine.toml                   every fault at once, with its place and remedy
  epsweep plan mine.toml                    the grid, what each query gets, expected time and memory
  epsweep run mine.toml                     tables, figures and results/mine/report.html

More examples:
  epsweep run mine.toml --trials 1e6 --set budget.epsilon=0.5
  epsweep allocate --sensitivities 0.12,120,1 --epsilon 1
  epsweep account laplace:0.1x100 --delta 1e-6
  epsweep verify results/mine
  epsweep list laplace

Exit codes: 0 done, 1 a bug, 2 bad command line or experiment file, 3 stopped before the target,
4 a check found what it looks for, 5 the record could not be written or read, 130 interrupted, 143 terminated.";

pub(super) const RUN: &str = "\
Examples:
  epsweep run mine.toml
  epsweep run mine.toml --trials 1e6                  more trials: those that are there are not repeated
  epsweep run mine.toml --set sweep.epsilon=[0.5,1]   any value of the file, by its dotted path
  epsweep run mine.toml --max-time 30m                stops in time; the same command goes on from there
  epsweep run mine.toml --shard 1/3                   a third of the trials, for `epsweep merge`
  epsweep run mine.toml --format csv > summary.csv

However a run ends, the same command goes on where it was, to the same bytes.

Exit codes: 0 done, 1 a bug, 2 a wrong command line or file, 3 stopped before all trials were done,
or with all of them and not as precise as was asked for, 5 the record could not be written or read, 130 interrupted,
143 terminated. SIGUSR1 makes a run say how far it is.";

pub(super) const MERGE: &str = "\
Examples:
  epsweep run mine.toml --shard 1/2        on one machine
  epsweep run mine.toml --shard 2/2        on another
  epsweep merge mine.toml results/mine-shard-*-of-2

Exit codes: 0 done, 2 a wrong command line or file, or a shard that is damaged, missing or of another run, 5 the record could not be written.";

pub(super) const PLAN: &str = "\
Examples:
  epsweep plan mine.toml
  epsweep plan mine.toml --jobs 64                          the time that it would take on 64 threads
  epsweep plan mine.toml --set sweep.epsilon=[0.1] --format csv

Exit codes: 0 done, 2 a wrong command line or file.";

pub(super) const CHECK: &str = "\
Examples:
  epsweep check mine.toml
  epsweep check mine.toml --set csv=other.csv

Every fault is said at once: the file, line and column, the text, what is allowed, the nearest valid name.

Exit codes: 0 the file is good, 2 it is not.";

pub(super) const REPORT: &str = "\
Examples:
  epsweep report results/mine
  epsweep report results/mine --format markdown

Needs nothing but the files of the run.

Exit codes: 0 done, 2 a wrong command line, 5 the directory holds no finished run, or could not be written.";

pub(super) const EXPORT: &str = "\
Examples:
  epsweep export results/mine --format parquet                                 results/mine/summary.parquet
  epsweep export results/mine --format parquet --table summary --table histograms
  epsweep export results/mine --format parquet --table trials --trials 1000    every number of every trial
  epsweep export results/mine --format latex --measure max_abs_error > table.tex
  epsweep export results/mine --format markdown --measure abs_error --where epsilon=1
  epsweep export results/mine --format latex --table comparisons --table claims --out tables.tex

Parquet has typed columns, and in its metadata what they mean and which run they are from. LaTeX needs the package booktabs. Of trials nothing is
stored: they are simulated again. A pipe or a device that --out names is written into; it is never replaced.

Exit codes: 0 done, 2 a wrong command line, a name that the run does not have, or a file that is there already (--force replaces it), 5 the
directory holds no finished run, or a file could not be written.";

pub(super) const VERIFY: &str = "\
Examples:
  epsweep verify results/mine                          a finished run
  epsweep verify experiments/*.toml                    runs made for the purpose, which leave no record
  epsweep verify mine.toml --seeds 200 --trials 5000   are p values uniform across seeds?

One that cannot be read does not keep the others from being judged.

Exit codes: 0 nothing contradicts (the text says where nothing could be judged), 2 a wrong command line or file,
4 a number contradicts theory, or a claim its verdict, 5 a record could not be read. Where some could not be read,
the code is that of the first of these.";

pub(super) const REPLAY: &str = "\
Examples:
  epsweep replay results/mine 'epsilon=1 allocation=even' 17    the draws, answers and errors of one trial
  epsweep replay mine.toml 1 0 --format json                    the first cell's first trial, without a run

Nothing of a trial is stored: its draws are found by their address.

Exit codes: 0 done, 2 a wrong command line, file, cell or trial, 5 the directory holds no finished run.";

pub(super) const COMPARE: &str = "\
Examples:
  epsweep compare results/mine other/mine                          two runs, whatever their seeds and trials
  epsweep compare results/mine other/mine --relative-margin 0.01   and is what differs within 1 %?
  epsweep compare old new --where allocation=even                  only these rows

Rows are matched by what they are about, so the runs may have further cells. Results under version control need no manifest.

Exit codes: 0 nothing moved, 2 a wrong command line or runs without a common number, 4 a number or a verdict moved,
5 a record could not be read.";

pub(super) const NEW: &str = "\
Examples:
  epsweep new mine                           the first template, with generated records: runs at once
  epsweep new --list                         all templates, each with the question that it answers
  epsweep new gate --from gate
  epsweep new mine --data people.csv         about a file of yours; proposes columns from its header
  epsweep new mine --data people.csv --column income --bounds 0,200000 --category education --groups none,school,university

Bounds and categories are public knowledge, and are never taken from the data: without --bounds and --groups the file
holds places for them. Nothing is overwritten.

Exit codes: 0 done, 2 a wrong command line, or the file is there already, 5 it could not be written.";

pub(super) const LIST: &str = "\
Examples:
  epsweep list                     every name with one line
  epsweep list noises --long       with formulas and sources
  epsweep list histogram           all about one name: formula, source, keys, an example
  epsweep list query               the keys of a section: top, data, query, budget, release, select, stream, sweep, claim, …
  epsweep list --format json

Exit codes: 0 done, 2 there is no such name.";

pub(super) const SCHEMA: &str = "\
Examples:
  epsweep schema > epsweep.schema.json
  epsweep schema audit > epsweep-audit.schema.json

JSON Schema, draft 2020-12. With `#:schema ./epsweep.schema.json` as the first line of an experiment, taplo and Even Better TOML
complete its keys and names, explain them, and mark what is wrong. `epsweep check` says more: it knows the data, too.

Exit codes: 0 done, 5 the result could not be written.";

pub(super) const COMPLETIONS: &str = "\
Examples:
  epsweep completions bash > ~/.local/share/bash-completion/completions/epsweep
  epsweep completions zsh > ~/.zfunc/_epsweep            with fpath+=~/.zfunc before compinit in .zshrc
  epsweep completions fish > ~/.config/fish/completions/epsweep.fish

Exit codes: 0 done, 5 the result could not be written.";

pub(super) const MAN: &str = "\
Examples:
  epsweep man | man -l -
  epsweep man --dir ~/.local/share/man/man1      epsweep.1, epsweep-run.1, … : then `man epsweep-run`

Exit codes: 0 done, 5 a page could not be written.";
