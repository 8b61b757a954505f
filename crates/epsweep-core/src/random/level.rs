//! Which instruction set the kernels use.

use std::ffi::OsStr;
use std::sync::OnceLock;

use thiserror::Error;

#[cfg(target_arch = "x86_64")]
use super::isa::{Avx2, Avx512, Sse2};
use super::isa::{Isa, Portable};

/// The environment variable that forces an instruction set.
pub const ISA_VARIABLE: &str = "EPSWEEP_ISA";

/// An instruction set that this processor has. Results do not depend on it, only the time does.
///
/// Each variant carries the token that proves that the instructions exist, so a level that is not available cannot
/// be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Eight lanes in a register.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// Four lanes in a register.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Two lanes in a register: every x86-64 processor.
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    /// Plain Rust: every processor.
    Portable(Portable),
}

/// `EPSWEEP_ISA` asks for something that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LevelError {
    /// Not a name of an instruction set.
    #[error(
        "unknown instruction set \"{name}\": use one of {known}, or leave {ISA_VARIABLE} unset to take the best of this machine"
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// A name, but this processor lacks the instructions.
    #[error(
        "this processor does not have the instruction set \"{name}\": it has {available}; unset {ISA_VARIABLE} to take the best"
    )]
    Unavailable {
        /// What was asked for.
        name: String,
        /// What this processor has.
        available: String,
    },
}

impl Level {
    /// All names, fastest first, whether this processor has them or not.
    pub const NAMES: [&'static str; 4] = ["avx512", "avx2", "sse2", "portable"];

    /// The levels of this processor, fastest first; never empty, since [`Portable`] is always there.
    pub fn available() -> Vec<Level> {
        let mut levels = Vec::with_capacity(Self::NAMES.len());
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx512::detect().map(Level::Avx512));
            levels.extend(Avx2::detect().map(Level::Avx2));
            levels.extend(Sse2::detect().map(Level::Sse2));
        }
        levels.push(Level::Portable(Portable));
        levels
    }

    /// The fastest level of this processor.
    pub fn best() -> Level {
        Self::available()
            .first()
            .copied()
            .unwrap_or(Level::Portable(Portable))
    }

    /// The name, as in [`Level::NAMES`].
    pub fn name(self) -> &'static str {
        fn of<I: Isa>(_: I) -> &'static str {
            I::NAME
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(isa) => of(isa),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(isa) => of(isa),
            #[cfg(target_arch = "x86_64")]
            Level::Sse2(isa) => of(isa),
            Level::Portable(isa) => of(isa),
        }
    }

    /// The level of that name.
    ///
    /// # Errors
    /// If there is no such name, or if this processor lacks the instructions.
    pub fn by_name(name: &str) -> Result<Level, LevelError> {
        let available = Self::available();
        if let Some(level) = available.iter().find(|level| level.name() == name) {
            return Ok(*level);
        }
        if Self::NAMES.contains(&name) {
            let names: Vec<_> = available.iter().map(|level| level.name()).collect();
            return Err(LevelError::Unavailable {
                name: name.to_owned(),
                available: names.join(", "),
            });
        }
        Err(LevelError::Unknown {
            name: name.to_owned(),
            known: Self::NAMES.join(", "),
        })
    }

    /// The level that `EPSWEEP_ISA` names; the best one where the variable is unset or empty.
    ///
    /// A program calls this once at its start and reports the error: [`level`] itself cannot.
    ///
    /// # Errors
    /// If the variable holds something else than the name of an instruction set of this processor.
    pub fn from_env() -> Result<Level, LevelError> {
        Self::of_setting(std::env::var_os(ISA_VARIABLE).as_deref())
    }

    fn of_setting(setting: Option<&OsStr>) -> Result<Level, LevelError> {
        match setting {
            Some(name) if !name.is_empty() => Self::by_name(&name.to_string_lossy()),
            _ => Ok(Self::best()),
        }
    }
}

/// The level of this process: what `EPSWEEP_ISA` said at the first call, or the best one. It is looked up once.
///
/// Where the variable is wrong, this takes the best level, for results do not depend on it; that the variable is
/// wrong is for [`Level::from_env`] to say.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| Level::from_env().unwrap_or_else(|_| Level::best()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_found_by_their_names_and_the_portable_one_is_always_there() {
        let available = Level::available();
        assert_eq!(available.last().map(|level| level.name()), Some("portable"));
        for level in &available {
            assert_eq!(
                Level::by_name(level.name()).map(Level::name),
                Ok(level.name())
            );
        }
        assert_eq!(Level::best().name(), available[0].name());
    }

    #[test]
    fn the_variable_is_obeyed_and_never_silently_ignored() {
        let name =
            |setting: Option<&str>| Level::of_setting(setting.map(OsStr::new)).map(Level::name);
        assert_eq!(name(None), Ok(Level::best().name()));
        assert_eq!(name(Some("")), Ok(Level::best().name()));
        assert_eq!(name(Some("portable")), Ok("portable"));
        for wrong in ["fast", "AVX2", " portable"] {
            assert!(
                matches!(name(Some(wrong)), Err(LevelError::Unknown { .. })),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_wrong_name_is_refused_with_the_right_ones() {
        let error = Level::by_name("avx1024").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown instruction set \"avx1024\": use one of avx512, avx2, sse2, portable, or leave EPSWEEP_ISA unset to take the best of this machine"
        );
        for name in Level::NAMES {
            match Level::by_name(name) {
                Ok(level) => assert_eq!(level.name(), name),
                Err(error) => assert!(matches!(error, LevelError::Unavailable { .. }), "{error}"),
            }
        }
    }
}
