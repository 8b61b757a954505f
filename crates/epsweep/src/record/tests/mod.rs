//! Writing, reading back, and whose a directory is.

mod damage;

use super::*;
use crate::claim::{Band, Claim, ClaimKind, Of, Part, Quantity, Verdict};
use crate::procedure::Streams;
use crate::summary::claims::evaluate;
use crate::summary::sample::{Sample, simulate};
use crate::summary::{comparisons, histogram_rows, summarise};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

const EXPERIMENT: &str = "name = \"sample\" # with a comment\n";

/// A run in memory.
struct Made {
    sample: Sample,
    claims: Vec<Claim>,
    identity: Identity,
}

fn make(seed: u64, trials: u64) -> Made {
    let sample = simulate(seed, trials, &[0.5, 1.0], Streams::Common);
    let cell = [("epsilon", "1"), ("allocation", "even")];
    let claims = vec![Claim {
        id: "B3".into(),
        text: "the \"worst\" error,\nin two lines".into(),
        kind: ClaimKind::Value(
            Quantity {
                of: Of::Statistic {
                    measure: "max_abs_error".into(),
                    statistic: "mean".into(),
                    part: Part::Value,
                },
                subject: "all".into(),
                cell: cell.map(|(a, l)| (a.to_string(), l.to_string())).into(),
            },
            Band {
                low: 100.0,
                high: 1_000.0,
                claimed: 360.0,
            },
        ),
        expected: Verdict::Holds,
    }];
    let identity = Identity::of(&sample.resolved, &claims).unwrap();
    Made {
        sample,
        claims,
        identity,
    }
}

fn renewed(state: State) -> RunDir {
    match state {
        State::New(dir) | State::Renew(dir) => dir,
        State::Finished => panic!("finished"),
    }
}

/// Writes all but the manifest; yields the run as read back.
fn write(dir: &mut RunDir, made: &Made) -> (Run, Manifest) {
    let resolved = &made.sample.resolved;
    let summary = summarise(&made.sample.cells, resolved).unwrap();
    let pairs = comparisons(&made.sample.cells, resolved).unwrap();
    let claims = evaluate(&made.claims, resolved, &summary.rows, &pairs).unwrap();
    let histograms = histogram_rows(&made.sample.cells, resolved, &|_, _| false);
    dir.write(&Contents {
        experiment: EXPERIMENT,
        resolved,
        summary: &summary.rows,
        comparisons: &pairs,
        claims: &claims,
        histograms: &histograms,
        convergence: &[],
    })
    .unwrap();
    let mut manifest = Manifest::new(
        &made.identity,
        resolved.seed,
        resolved.trials,
        "digest".into(),
        summary.warnings,
    );
    manifest.machine = Some(Machine::here(2, "portable"));
    manifest.times = Some(Times {
        started: "2026-01-01T00:00:00Z".into(),
        finished: "2026-01-01T00:00:01Z".into(),
        simulate: 0.75,
        summarise: 0.125,
    });
    let run = dir.read_back(&manifest).unwrap();
    assert_eq!((&run.resolved, &run.summary), (resolved, &summary.rows));
    assert_eq!((&run.comparisons, &run.claims), (&pairs, &claims));
    assert_eq!(run.histograms, histograms);
    (run, manifest)
}

/// A finished run in `path`.
fn finish(path: &Path, made: &Made) -> Run {
    let mut dir = renewed(RunDir::open(path, &made.identity, false).unwrap());
    let (mut run, manifest) = write(&mut dir, made);
    dir.put("figures/panel.svg", b"<svg/>").unwrap();
    dir.put(names::REPORT_MD, b"# A sample\n").unwrap();
    run.manifest = dir.finish(&manifest).unwrap();
    run
}

fn place() -> (TempDir, std::path::PathBuf) {
    let temporary = tempdir().unwrap();
    let path = temporary.path().join("results/sample");
    (temporary, path)
}

fn open_error(path: &Path, made: &Made, force: bool) -> String {
    RunDir::open(path, &made.identity, force)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_run_reads_back_as_it_was() {
    let (_keep, path) = place();
    let run = finish(&path, &make(42, 300));
    assert_eq!(read(&path).unwrap(), run);
    assert!(run.manifest.files.contains_key("figures/panel.svg"));
    assert_eq!(run.experiment, EXPERIMENT);
    let header = fs::read_to_string(path.join(names::SUMMARY)).unwrap();
    assert!(header.starts_with(
        "cell,epsilon,allocation,subject,measure,statistic,value,mcse,low,high,exact,z,trials,method\n"
    ));
    let header = fs::read_to_string(path.join(names::COMPARISONS)).unwrap();
    assert!(
        header.starts_with(
            "epsilon,subject,measure,a,b,difference,mcse,low,high,p_adjusted,win,tie,loss,trials\n"
        ),
        "the compared axis has no column"
    );
    let published = run.manifest.repeatable();
    assert!(published.times.is_none() && !published.files.contains_key(names::REPORT_MD));
    let hidden = fs::read_dir(&path).unwrap().any(|e| {
        let name = e.unwrap().file_name();
        name.to_string_lossy().starts_with('.')
    });
    assert!(!hidden, "no part of a file is left");
}

#[test]
fn figures_of_a_finished_run_are_made_again() {
    let (_keep, path) = place();
    let run = finish(&path, &make(42, 100));
    let mut dir = RunDir::reopen(&run).unwrap();
    dir.put(names::REPORT_HTML, b"<html/>").unwrap();
    dir.put("figures/panel.svg", b"<svg></svg>").unwrap();
    let manifest = dir.finish(&run.manifest).unwrap();
    let digest = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    assert_eq!(manifest.files[names::REPORT_HTML], digest(b"<html/>"));
    assert_eq!(manifest.files["figures/panel.svg"], digest(b"<svg></svg>"));
    assert_eq!(
        manifest.files[names::SUMMARY],
        run.manifest.files[names::SUMMARY]
    );
    assert_eq!(read(&path).unwrap().manifest, manifest);
}

#[test]
fn the_same_run_has_the_same_bytes() {
    let (a, b) = (place(), place());
    finish(&a.1, &make(42, 300));
    finish(&b.1, &make(42, 300));
    for name in [
        names::SUMMARY,
        names::COMPARISONS,
        names::CLAIMS,
        names::HISTOGRAMS,
        names::RESOLVED,
    ] {
        let bytes = |p: &Path| fs::read(p.join(name)).unwrap();
        assert_eq!(bytes(&a.1), bytes(&b.1), "{name}");
    }
}

#[test]
fn a_finished_identical_run_is_left_alone() {
    let (_keep, path) = place();
    let made = make(42, 300);
    finish(&path, &made);
    assert!(matches!(
        RunDir::open(&path, &made.identity, false),
        Ok(State::Finished)
    ));
    assert!(matches!(
        RunDir::open(&path, &made.identity, true),
        Ok(State::Renew(_))
    ));
    // figures, claims and the names of data files may change: the numbers are the same
    let mut other = make(42, 300);
    other.sample.resolved.title = "Another title".into();
    other.sample.resolved.data[0].source = "elsewhere.csv".into();
    other.claims.clear();
    other.identity = Identity::of(&other.sample.resolved, &other.claims).unwrap();
    assert!(matches!(
        RunDir::open(&path, &other.identity, false),
        Ok(State::Renew(_))
    ));
}

#[test]
fn another_run_is_never_overwritten_without_force() {
    let (_keep, path) = place();
    let run = finish(&path, &make(42, 300));
    let text = open_error(&path, &make(43, 300), false);
    assert!(
        text.contains("seed: 42 there, 43 here") && text.contains("--force"),
        "{text}"
    );
    let text = open_error(&path, &make(42, 299), false);
    assert!(text.contains("trials: 300 there, 299 here"), "{text}");
    // more trials extend it, and until those are there nothing is touched
    renewed(RunDir::open(&path, &make(42, 301).identity, false).unwrap());
    let mut other = make(42, 300);
    other.sample.resolved.data[0].digest = "1".into();
    other.sample.resolved.name = "other".into();
    other.identity = Identity::of(&other.sample.resolved, &other.claims).unwrap();
    let text = open_error(&path, &other, false);
    assert!(
        text.contains("(data ages.csv: 1000 rows with digest 0 there, 1000 rows with digest 1 here; name: sample there, other here)"),
        "{text}"
    );
    assert_eq!(read(&path).unwrap(), run, "nothing was touched");

    let mut dir = renewed(RunDir::open(&path, &other.identity, true).unwrap());
    let (_, manifest) = write(&mut dir, &other);
    dir.finish(&manifest).unwrap();
    assert_eq!(read(&path).unwrap().resolved.name, "other");
    assert!(
        !path.join("figures/panel.svg").exists(),
        "figures of the old run are gone"
    );
}

#[test]
fn a_directory_of_something_else_is_refused_even_with_force() {
    let (_keep, path) = place();
    fs::create_dir_all(&path).unwrap();
    for name in ["thesis.tex", "a.txt", "b.txt", "c.txt"] {
        fs::write(path.join(name), "precious").unwrap();
    }
    for force in [false, true] {
        let text = open_error(&path, &make(1, 10), force);
        assert!(
            text.contains("holds a.txt, b.txt, c.txt and 1 more"),
            "{text}"
        );
    }
    assert_eq!(
        fs::read_to_string(path.join("thesis.tex")).unwrap(),
        "precious"
    );
    // notes beside a run are kept
    let (_keep, path) = place();
    let made = make(1, 10);
    finish(&path, &made);
    fs::write(path.join("notes.txt"), "precious").unwrap();
    let mut dir = renewed(RunDir::open(&path, &made.identity, true).unwrap());
    write(&mut dir, &made);
    assert_eq!(
        fs::read_to_string(path.join("notes.txt")).unwrap(),
        "precious"
    );
}

#[test]
fn a_place_that_cannot_be_written_is_known_before_the_run() {
    let temporary = tempdir().unwrap();
    let file = temporary.path().join("file");
    fs::write(&file, "").unwrap();
    let made = make(1, 10);
    let error = RunDir::open(&file, &made.identity, false).unwrap_err();
    assert!(
        matches!(error, RecordError::NotADirectory { .. }),
        "{error}"
    );
    let error = RunDir::open(&file.join("run"), &made.identity, false).unwrap_err();
    assert!(matches!(error, RecordError::Io { .. }), "{error}");
    assert!(error.to_string().contains("-o"));
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_is_known_before_the_run() {
    use std::os::unix::fs::PermissionsExt;
    let (_keep, path) = place();
    fs::create_dir_all(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o555)).unwrap();
    // permissions do not bind the superuser
    let binding = fs::write(path.join("probe"), "").is_err();
    let opened = RunDir::open(&path, &make(1, 10).identity, false);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    if binding {
        let text = opened.unwrap_err().to_string();
        assert!(text.contains("cannot write to"), "{text}");
    } else {
        // the probe file makes it a directory of something else
        assert!(matches!(opened, Err(RecordError::Foreign { .. })));
    }
}

#[test]
fn names_stay_inside_the_directory() {
    let (_keep, path) = place();
    let mut dir = renewed(RunDir::open(&path, &make(1, 10).identity, false).unwrap());
    for name in [
        "../x",
        "/etc/x",
        "",
        "figures/",
        "a\\b",
        ".hidden",
        "figures/../x",
    ] {
        assert!(
            matches!(dir.put(name, b""), Err(RecordError::BadName { .. })),
            "{name}"
        );
    }
    dir.put("figures/mean-age.svg", b"<svg/>").unwrap();
}

proptest! {
    #[test]
    fn any_row_reads_back(
        text in "[ -~é√\n\"]{0,12}",
        bits in any::<[u64; 6]>(),
        trials in any::<u64>(),
    ) {
        let real = |i: usize| {
            let x = f64::from_bits(bits[i]);
            if x.is_nan() { 0.0 } else { x }
        };
        let row = SummaryRow {
            cell: text.clone().into(),
            axes: vec![text.clone(), "even".into()].into(),
            subject: text.clone().into(),
            measure: "rmse".into(),
            statistic: "mean".into(),
            value: real(0),
            mcse: Some(real(1)),
            low: None,
            high: Some(real(2)),
            exact: Some(real(3)),
            z: (bits[4] % 2 == 0).then(|| real(5)),
            trials,
            method: "moments".into(),
        };
        let axes = ["epsilon".to_string(), "allocation".to_string()];
        let bytes = tables::write(&[row.clone(), row.clone()], &axes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let back: Vec<SummaryRow> = tables::parse(Path::new("summary.csv"), &text, &axes).unwrap();
        prop_assert_eq!(back, vec![row.clone(), row]);
    }
}
