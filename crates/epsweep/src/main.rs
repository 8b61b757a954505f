//! The binary: see the library.

fn main() -> std::process::ExitCode {
    epsweep::cli::main()
}
