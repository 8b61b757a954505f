//! `epsweep man`

use super::arguments::Arguments;
use super::{Failure, exit, help, output};
use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;
use std::path::PathBuf;

/// Arguments of `man`.
#[derive(Args, Debug)]
#[command(after_help = help::MAN)]
pub struct Man {
    /// write a page for the program and for every command into this directory, which is made
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints the man page, or writes one for every command.
pub fn man(arguments: &Man) -> Result<u8, Failure> {
    let Some(folder) = &arguments.dir else {
        output::result(&page(Arguments::command())?)?;
        return Ok(exit::DONE);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    let mut program = Arguments::command();
    program.build();
    let mut pages = vec![("epsweep.1".to_owned(), page(Arguments::command())?)];
    for command in program.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("epsweep-{}.1", command.get_name());
        pages.push((name, page(command.clone())?));
    }
    for (name, text) in pages {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| Failure::file(&path, error))?;
        output::result(&format!("{}\n", path.display()))?;
    }
    Ok(exit::DONE)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut roff = Vec::new();
    Page::new(command)
        .render(&mut roff)
        .map_err(Failure::Output)?;
    Ok(String::from_utf8_lossy(&roff).into_owned())
}
