//! `manifest.json`: where the numbers come from.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::SystemTime;

/// Where the numbers come from. Unknown fields are ignored when it is read; a missing one is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// version of the form of all files of the directory
    pub schema: u32,
    /// version of the program
    pub epsweep: String,
    /// revision of the source, where it was known when the program was built
    pub revision: Option<String>,
    /// what makes this run this run, part by part: see [`super::Identity`]
    pub identity: BTreeMap<String, String>,
    /// hash of `identity`
    pub experiment_digest: String,
    /// name of the experiment file, without its folder; left out of what is published byte for byte
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// how draws are made from the seed
    #[serde(default)]
    pub generator: String,
    /// seed of all streams
    pub seed: u64,
    /// trials of every cell
    pub trials: u64,
    /// how precise the numbers became that decided when there were enough trials
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precision: Vec<Reached>,
    /// trials that failed, of each cell in which some did
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedCell>,
    /// hash of the finished tallies: equal digests mean equal numbers
    pub digest: String,
    /// blake3 hash of every file, by its name in the directory
    pub files: BTreeMap<String, String>,
    /// what a reader of the numbers should know
    pub warnings: Vec<String>,
    /// what is worth knowing of the experiment, and nothing to be warned of
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// where it ran; left out of what is published byte for byte
    pub machine: Option<Machine>,
    /// when it ran; left out of what is published byte for byte
    pub times: Option<Times>,
}

/// How precise a number became that had a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// the cell's number
    pub cell: usize,
    /// of a difference: the number of the cell that is subtracted
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<usize>,
    /// what it is of
    pub subject: String,
    /// the measure's name
    pub measure: String,
    /// the statistic
    pub statistic: String,
    /// the estimate; `None` where it is undefined
    pub value: Option<f64>,
    /// half-width of its interval; `None` where there is none
    pub half_width: Option<f64>,
    /// the goal: the most half-width
    pub margin: super::Margin,
    /// whether it was met
    pub met: bool,
    /// trials of the cell
    pub trials: u64,
}

/// Trials of a cell that failed: left out of what has no number in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedCell {
    /// canonical text of the cell
    pub cell: String,
    /// how many failed
    pub trials: u64,
    /// the first ones
    pub first: Vec<FailedOne>,
}

/// A trial that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedOne {
    /// its chunk
    pub chunk: u64,
    /// its number, which `epsweep replay` takes
    pub trial: u64,
    /// what happened
    pub why: String,
}

/// Facts of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// `linux`, `macos`, `windows`
    pub os: String,
    /// `x86_64`, `aarch64`
    pub arch: String,
    /// cores that the process may use
    pub cores: usize,
    /// threads that simulated
    pub jobs: usize,
    /// instruction set of the kernels: it changes the speed, never the numbers
    pub isa: String,
}

/// Times of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// start, UTC, ISO 8601
    pub started: String,
    /// end of the simulation, UTC, ISO 8601
    pub finished: String,
    /// seconds spent on simulating
    pub simulate: f64,
    /// seconds spent on estimates and comparisons
    pub summarise: f64,
}

impl Machine {
    /// This machine.
    pub fn here(jobs: usize, isa: &str) -> Self {
        Machine {
            os: std::env::consts::OS.into(),
            arch: std::env::consts::ARCH.into(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            jobs,
            isa: isa.into(),
        }
    }
}

impl Manifest {
    /// The manifest of a run with these facts; `files` are filled in when the run is written.
    pub fn new(
        identity: &super::Identity,
        seed: u64,
        trials: u64,
        digest: String,
        warnings: Vec<String>,
    ) -> Self {
        Manifest {
            schema: super::SCHEMA,
            epsweep: env!("CARGO_PKG_VERSION").into(),
            revision: option_env!("EPSWEEP_REVISION").map(String::from),
            identity: identity.parts().clone(),
            experiment_digest: identity.digest(),
            file: None,
            generator: epsweep_core::random::GENERATOR.into(),
            seed,
            trials,
            precision: Vec::new(),
            failed: Vec::new(),
            digest,
            files: BTreeMap::new(),
            warnings,
            notes: Vec::new(),
            machine: None,
            times: None,
        }
    }

    /// What repeats bit for bit on every machine: without machine, times, revision and the file's name, and without the digests of files
    /// that hold such facts (reports).
    pub fn repeatable(&self) -> Manifest {
        let mut manifest = self.clone();
        manifest.file = None;
        manifest.machine = None;
        manifest.times = None;
        manifest.revision = None;
        manifest
            .files
            .retain(|name, _| !name.starts_with("report."));
        manifest
    }
}

/// A time as ISO 8601 in UTC, to the second: `2026-01-31T12:00:00Z`.
pub fn utc(time: SystemTime) -> String {
    let seconds = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // the civil calendar from days: eras of 400 years (146 097 days) that begin on 1 March of year 0
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::utc;
    use std::time::{Duration, SystemTime};

    #[test]
    fn dates_follow_the_calendar() {
        // seconds by GNU date: date -ud 2000-02-29T23:59:59Z +%s, and so on
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(
                utc(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)),
                text
            );
        }
    }
}
