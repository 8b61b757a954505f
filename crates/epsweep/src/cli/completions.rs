//! `epsweep completions`

use super::arguments::Arguments;
use super::{Failure, exit, help, output};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Args, Debug)]
#[command(after_help = help::COMPLETIONS)]
pub struct Completions {
    /// the shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints a script by which a shell completes commands and options.
pub fn completions(arguments: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "epsweep",
        &mut script,
    );
    output::result(&String::from_utf8_lossy(&script))?;
    Ok(exit::DONE)
}
