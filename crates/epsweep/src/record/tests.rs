//! Writing, reading back, and everything that can be wrong with a directory.

use super::files::write_file;
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
    // by way of the directory, and past it
    dir.put(names::REPORT_HTML, b"<html/>").unwrap();
    write_file(&path, "figures/panel.svg", b"<svg></svg>").unwrap();
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
        text.contains("other data; name: sample there, other here"),
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
fn a_run_that_was_killed_is_made_again() {
    let made = make(5, 100);
    // while the first file was written
    let (_keep, path) = place();
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join(".experiment.toml.99.part"), "name = \"sam").unwrap();
    assert!(matches!(
        RunDir::open(&path, &made.identity, false),
        Ok(State::New(_))
    ));
    let whole = finish(&path, &made);
    assert!(!path.join(".experiment.toml.99.part").exists());

    // between any two files: those that are there are complete, the manifest is not
    let order = [
        names::EXPERIMENT,
        names::RESOLVED,
        names::SUMMARY,
        names::COMPARISONS,
        names::CLAIMS,
        names::HISTOGRAMS,
    ];
    for done in 0..=order.len() {
        let (_keep, cut) = place();
        fs::create_dir_all(cut.join("figures")).unwrap();
        for name in &order[..done] {
            fs::copy(path.join(name), cut.join(name)).unwrap();
        }
        fs::write(cut.join("figures/.panel.svg.99.part"), "<sv").unwrap();
        if done < 2 {
            // a folder of figures alone is nothing that a run leaves
            fs::remove_dir_all(cut.join("figures")).unwrap();
        }
        match (done, read(&cut)) {
            (0, Err(RecordError::NoRun { .. })) => {}
            (_, Err(RecordError::Missing { missing, .. })) if done > 0 => {
                assert_eq!(missing, names::MANIFEST);
            }
            (_, other) => panic!("{other:?}"),
        }
        let again = finish(&cut, &made);
        assert_eq!(again.summary, whole.summary);
        assert_eq!(read(&cut).unwrap().manifest.files, whole.manifest.files);
        assert!(!cut.join("figures/.panel.svg.99.part").exists());
    }
}

#[test]
fn no_cut_or_changed_file_is_taken_for_a_run() {
    let (_keep, path) = place();
    let made = make(5, 50);
    finish(&path, &made);
    let files = [
        names::EXPERIMENT,
        names::RESOLVED,
        names::SUMMARY,
        names::COMPARISONS,
        names::CLAIMS,
        names::HISTOGRAMS,
        names::MANIFEST,
    ];
    for name in files {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        let cuts = (0..40)
            .map(|i| bytes.len() * i / 40)
            .chain([1, bytes.len() - 1]);
        for cut in cuts {
            fs::write(&file, &bytes[..cut]).unwrap();
            let result = read(&path);
            // a manifest without its last line break is still whole
            if name == names::MANIFEST && cut + 1 == bytes.len() {
                assert!(result.is_ok());
                continue;
            }
            let error = result.expect_err(name).to_string();
            assert!(error.contains(name), "{error}");
            assert!(RunDir::open(&path, &made.identity, false).is_err());
        }
        fs::remove_file(&file).unwrap();
        assert!(
            matches!(read(&path), Err(RecordError::Missing { .. })),
            "{name}"
        );
        fs::write(&file, &bytes).unwrap();
    }
    assert!(read(&path).is_ok());
    assert!(matches!(
        RunDir::open(&path, &made.identity, false),
        Ok(State::Finished)
    ));
}

#[test]
fn errors_name_the_file_and_the_line() {
    let (_keep, path) = place();
    let made = make(5, 50);
    finish(&path, &made);
    let file = path.join(names::SUMMARY);
    let text = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let swap = |lines: &[&str]| {
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        read(&path).unwrap_err().to_string()
    };
    let original = lines[6];
    let damaged = original.replacen(",all,", ",all,x,", 1);
    let damaged = if damaged == original {
        format!("{original},x")
    } else {
        damaged
    };
    lines[6] = &damaged;
    let error = swap(&lines);
    assert!(
        error.contains("summary.csv, line 7: 15 fields in place of 14"),
        "{error}"
    );
    let damaged = original.replacen(",50,", ",fifty,", 1);
    lines[6] = &damaged;
    let error = swap(&lines);
    assert!(
        error.contains("line 7: `fifty` in column trials is not a whole number"),
        "{error}"
    );
    lines[6] = original;
    let header = lines[0].replace("mcse", "se");
    lines[0] = &header;
    assert!(swap(&lines).contains("summary.csv, line 1: the columns are"));
    fs::write(&file, b"cell,\xff\xfe\n").unwrap();
    assert!(
        read(&path)
            .unwrap_err()
            .to_string()
            .contains("line 1: this is not UTF-8")
    );
    // what is damaged may be of any length, and no text
    fs::write(&file, vec![0; 100_000]).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.chars().count() < 1000, "{error}");
    assert!(
        !error.contains('\0') && error.contains("summary.csv, line 1"),
        "{error}"
    );
    // one digit changed: every field is sound, the digest is not
    let other = text.replacen(",50,", ",51,", 1);
    fs::write(&file, other).unwrap();
    assert!(matches!(read(&path), Err(RecordError::Altered { .. })));
    let text = open_error(&path, &made, false);
    assert!(
        text.contains("cannot be read") && text.contains("--force"),
        "{text}"
    );
    assert!(matches!(
        RunDir::open(&path, &made.identity, true),
        Ok(State::Renew(_))
    ));
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let (_keep, path) = place();
    finish(&path, &make(5, 50));
    let file = path.join(names::MANIFEST);
    let text = fs::read_to_string(&file).unwrap();
    for (schema, version) in [("0", "version 0"), ("2", "version 2")] {
        let other = text.replacen("\"schema\": 1", &format!("\"schema\": {schema}"), 1);
        fs::write(&file, other).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(
            error.contains(version) && error.contains("manifest.json"),
            "{error}"
        );
    }
    fs::write(&file, "{\"name\": \"of another program\"}").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("epsweep did not write this file"), "{error}");
    fs::write(&file, "").unwrap();
    assert!(matches!(read(&path), Err(RecordError::Corrupt { .. })));
    // the parts of the identity are held together by their hash
    fs::write(
        &file,
        text.replacen("\"trials\": \"50\"", "\"trials\": \"51\"", 1),
    )
    .unwrap();
    assert!(matches!(read(&path), Err(RecordError::Altered { .. })));
    // a field that is missing is an error, one that is not known is ignored
    fs::write(&file, text.replacen("\"seed\": 5", "\"sead\": 5", 1)).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("seed"));
    fs::write(
        &file,
        text.replacen("\"schema\": 1", "\"new\": 7,\n  \"schema\": 1", 1),
    )
    .unwrap();
    assert!(read(&path).is_ok());
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(matches!(read(&path), Err(RecordError::NotAFile { .. })));
}

#[test]
fn an_error_says_the_version_what_is_wrong_and_the_command_that_helps() {
    let (_keep, path) = place();
    finish(&path, &make(5, 50));
    let file = path.join(names::MANIFEST);
    let text = fs::read_to_string(&file).unwrap();
    let help = format!("`epsweep run FILE -o {} --force`", path.display());
    let newer = text.replacen("\"schema\": 1", "\"schema\": 2", 1);
    let newer = newer.replacen(env!("CARGO_PKG_VERSION"), "9.8.7", 1);
    let field = text.replacen("\"seed\": 5", "\"sead\": 5", 1);
    let expected = [
        (
            newer.as_str(),
            "version 2 of the format (written by epsweep 9.8.7)",
        ),
        (&newer, "reads version 1 alone"),
        (&field, "missing field `seed`"),
        (&field, "it has version 1 of the format"),
        ("", "it is empty"),
        ("{\"a\": [1, 2]}", "epsweep did not write this file"),
        ("[1, 2]", "epsweep did not write this file"),
        ("7", "epsweep did not write this file"),
        ("[1, ", "EOF"),
    ];
    for (content, part) in expected {
        fs::write(&file, content).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(part), "{part}: {error}");
        assert!(error.contains(&help), "{error}");
        assert!(error.contains("manifest.json"), "{error}");
    }
}

#[test]
fn what_is_at_a_place_without_a_run_is_said() {
    let (_keep, path) = place();
    let said = |path: &Path| read(path).unwrap_err().to_string();
    assert!(said(&path).starts_with("there is no "), "{}", said(&path));
    finish(&path, &make(5, 50));
    let table = path.join(names::SUMMARY);
    assert!(
        said(&table).ends_with(&format!("give {}", path.display())),
        "{}",
        said(&table)
    );
    let folder = path.parent().unwrap();
    fs::write(folder.join("notes.txt"), "").unwrap();
    let error = said(folder);
    assert!(
        error.contains(&path.display().to_string()) && error.contains("1 other name"),
        "{error}"
    );
    fs::write(path.join("thesis.tex"), "").unwrap();
    fs::write(path.join("summary.parquet"), "").unwrap();
    assert_eq!(super::strangers(&path), ["thesis.tex"]);
    // a run that goes on has its tallies, and a lock that is held
    fs::remove_file(path.join(names::MANIFEST)).unwrap();
    assert!(matches!(read(&path), Err(RecordError::Missing { .. })));
    fs::create_dir(path.join(".tallies")).unwrap();
    assert!(matches!(read(&path), Err(RecordError::Interrupted { .. })));
    let lock = super::lock::Lock::take(&path).unwrap();
    assert!(matches!(read(&path), Err(RecordError::InProgress { .. })));
    drop(lock);
    fs::write(path.join("shard.tallies"), "").unwrap();
    assert!(matches!(read(&path), Err(RecordError::ShardOnly { .. })));
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
