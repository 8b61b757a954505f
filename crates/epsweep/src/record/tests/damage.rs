//! What is cut, changed, of another version or no run at all.

use super::*;

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
        names::RESOLVED,
        names::EXPERIMENT,
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
        if done == 0 {
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

/// What others put into a directory is theirs: an experiment file that waits there, pictures beside the figures.
#[test]
fn files_of_others_are_left_alone() {
    let made = make(5, 100);
    let (_keep, path) = place();
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join(names::EXPERIMENT), "mine").unwrap();
    assert!(matches!(
        RunDir::open(&path, &made.identity, true),
        Err(RecordError::Foreign { .. })
    ));
    assert_eq!(
        fs::read_to_string(path.join(names::EXPERIMENT)).unwrap(),
        "mine"
    );

    let (_keep, path) = place();
    let run = finish(&path, &made);
    let mut dir = RunDir::reopen(&run).unwrap();
    dir.put("figures/old.svg", b"<svg></svg>").unwrap();
    let run = Run {
        manifest: dir.finish(&run.manifest).unwrap(),
        ..run
    };
    fs::write(path.join("figures/photo.png"), "theirs").unwrap();
    fs::create_dir(path.join("figures/sub.svg")).unwrap();
    // figures that are drawn no more go, whoever else's files do not, and are none of the run's
    let mut dir = RunDir::reopen(&run).unwrap();
    dir.put("figures/new.svg", b"<svg></svg>").unwrap();
    let manifest = dir.finish(&run.manifest).unwrap();
    let listed = |name: &str| manifest.files.contains_key(name);
    assert!(listed("figures/new.svg") && !listed("figures/old.svg"));
    assert!(!listed("figures/photo.png") && !path.join("figures/old.svg").exists());
    finish(&path, &make(5, 200));
    assert!(!path.join("figures/new.svg").exists());
    assert_eq!(
        fs::read_to_string(path.join("figures/photo.png")).unwrap(),
        "theirs"
    );
    assert!(path.join("figures/sub.svg").is_dir());
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
        error.contains(&path.display().to_string()) && error.contains(" (besides: notes.txt)"),
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
