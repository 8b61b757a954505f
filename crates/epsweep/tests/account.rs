//! `epsweep account`: every method's total, the smallest, and what it refuses.

mod common;

use common::epsweep;
use predicates::str::contains;

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = epsweep()
        .arg("account")
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn method<'a>(found: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let methods = found["methods"].as_array().unwrap();
    methods
        .iter()
        .find(|method| method["name"] == name)
        .unwrap()
}

#[test]
fn three_queries_are_counted_best_by_optimal_composition_or_pld_and_a_hundred_far_below_the_sum() {
    let three = json(&["pure:0.3x3", "--delta", "1e-6"]);
    assert!((three["plain_sum"].as_f64().unwrap() - 0.9).abs() < 1e-15);
    for name in ["advanced", "advanced-refined", "zcdp", "rdp"] {
        assert!(
            method(&three, name)["above_sum"].as_f64().unwrap() > 0.0,
            "{name}"
        );
    }
    let optimal = method(&three, "optimal")["epsilon"].as_f64().unwrap();
    assert!(optimal < 0.9 && optimal > 0.89);
    let hundred = json(&["laplace:0.1x100", "--delta", "1e-6"]);
    let smallest = &hundred["smallest"];
    assert_eq!(smallest["method"], "pld");
    let pld = method(&hundred, "pld");
    let (lower, upper) = (
        pld["lower"].as_f64().unwrap(),
        pld["epsilon"].as_f64().unwrap(),
    );
    assert!(lower <= upper && upper - lower < 1e-3 && upper < 5.0);
    assert!(
        method(&hundred, "gaussian")["refused"]
            .as_str()
            .unwrap()
            .contains("Gaussian")
    );
}

#[test]
fn a_file_and_the_command_line_say_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("releases.toml");
    std::fs::write(
        &file,
        "delta = 1e-6\n[[release]]\nlaplace = 0.1\ncount = 100\n[[release]]\nsubsampled-gaussian = { probability = 0.01, noise = 2 }\n",
    )
    .unwrap();
    let methods = ["--method", "basic", "--method", "rdp"];
    let from_file = json(&[&["--file", file.to_str().unwrap()][..], &methods].concat());
    let from_line = json(
        &[
            &[
                "laplace:0.1x1e2",
                "subsampled-gaussian:0.01,2",
                "--delta",
                "1e-6",
            ][..],
            &methods,
        ]
        .concat(),
    );
    assert_eq!(from_file, from_line);
    assert_eq!(from_file["smallest"]["method"], "rdp");
    // what the line says goes before the file's, and its releases join them
    let more = json(
        &[
            &[
                "gaussian:3",
                "--delta",
                "1e-9",
                "--file",
                file.to_str().unwrap(),
            ][..],
            &methods,
        ]
        .concat(),
    );
    assert_eq!(
        (
            more["delta"].as_f64(),
            more["releases"].as_array().unwrap().len()
        ),
        (Some(1e-9), 3)
    );
}

#[test]
fn every_form_names_the_smallest() {
    let run = |format: &str| {
        epsweep()
            .args([
                "account",
                "gaussian:2x4",
                "--delta",
                "1e-5",
                "--format",
                format,
            ])
            .assert()
            .success()
    };
    run("text")
        .stdout(contains("smallest"))
        .stdout(contains("4 × Gaussian noise with σ/Δ = 2.0"));
    run("markdown").stdout(contains("| gaussian |"));
    run("csv")
        .stdout(contains("method,epsilon,lower,above_sum,note,refused"))
        .stdout(contains("\ngaussian,"));
}

#[test]
fn large_epsilon_and_tiny_delta_have_finite_answers_or_a_refusal_that_names_the_limit() {
    let found = json(&["laplace:1000x3", "--delta", "1e-300"]);
    for answer in found["methods"].as_array().unwrap() {
        match answer["epsilon"].as_f64() {
            Some(epsilon) => assert!(epsilon.is_finite() && epsilon > 0.0, "{answer}"),
            None => assert!(
                answer["refused"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{answer}"
            ),
        }
    }
    assert!(found["smallest"]["epsilon"].as_f64().unwrap() <= 3000.0);
}

#[test]
fn faults_of_the_command_line_are_refused_with_their_cause() {
    for (arguments, message) in [
        (vec![], "required"),
        (vec!["laplac:1"], "did you mean `laplace`"),
        (vec!["laplace"], "is not a release"),
        (vec!["laplace:1xmany"], "is not a release"),
        (vec!["laplace:"], "is not a release"),
        (
            vec!["laplace:1,2"],
            "2 parameters, but laplace takes 1: epsilon",
        ),
        (vec!["laplace:-1"], "ε is -1.0"),
        (vec!["laplace:NaN"], "ε is NaN"),
        (vec!["laplace:1x0"], "count of releases is 0"),
        (vec!["gaussian:0"], "noise multiplier"),
        (
            vec!["subsampled-gaussian:2,1"],
            "sampling probability is 2.0",
        ),
        (vec!["laplace:1", "--delta", "1"], "δ is 1.0"),
        (vec!["laplace:1", "--method", "plb"], "did you mean `pld`"),
        // the sum leaves the doubles: no method may call it infinite
        (vec!["laplace:1e308x10"], "beyond its limit"),
        (
            vec!["laplace:0.1x9007199254740993"],
            "must be from 1 to 2^53",
        ),
        // ρ says nothing at δ = 0
        (
            vec!["zcdp:0.5"],
            "no finite ε has δ = 0.0 with these releases: ask for a δ above 0.0, such as 1e-6",
        ),
        (vec!["--file", "nowhere.toml"], "nowhere.toml"),
    ] {
        epsweep()
            .arg("account")
            .args(&arguments)
            .assert()
            .code(2)
            .stderr(contains(message))
            .stdout("");
    }
}

#[test]
fn every_fault_of_a_file_is_reported_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("releases.toml");
    std::fs::write(
        &file,
        "dleta = 1\n[[release]]\nlaplac = 0.1\n[[release]]\npure = -1\n[[release]]\napproximate = 1\n[[release]]\npure = 1\ncount = 0\n",
    )
    .unwrap();
    let assert = epsweep()
        .arg("account")
        .arg("--file")
        .arg(&file)
        .assert()
        .code(2);
    assert
        .stderr(contains("unknown key `dleta`"))
        .stderr(contains("releases.toml:3:1"))
        .stderr(contains("ε is -1.0"))
        .stderr(contains("releases.toml:7:15"))
        .stderr(contains("out of range"));
    for (text, message) in [
        ("", "lacks the key `release`"),
        ("release = []", "no release"),
        ("a = [", "not TOML"),
    ] {
        std::fs::write(&file, text).unwrap();
        epsweep()
            .arg("account")
            .arg("--file")
            .arg(&file)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
}

#[test]
fn delta_at_a_given_epsilon_is_the_other_way_round_even_where_its_exponential_overflows() {
    for (sigma, epsilon, expected) in [
        ("gaussian:0.025", "800", 0.49003266),
        ("gaussian:0.0225", "1000", 0.38201291),
        // four of twice the noise are one
        ("gaussian:0.045x4", "1000", 0.38201291),
    ] {
        let found = json(&[sigma, "--epsilon", epsilon]);
        for name in ["gaussian", "pld"] {
            let delta = method(&found, name)["delta"].as_f64().unwrap();
            assert!((delta / expected - 1.0).abs() < 1e-3, "{name}: {delta}");
        }
        let exact = method(&found, "gaussian")["delta"].as_f64().unwrap();
        assert!((exact / expected - 1.0).abs() < 5e-8, "{exact}");
        // any other method is valid, and so no smaller
        for of in found["methods"].as_array().unwrap() {
            let delta = of["delta"].as_f64().unwrap_or(1.0);
            assert!(delta >= expected * (1.0 - 1e-7), "{of}");
        }
    }
    // composition: what comes out at the δ that was asked for is that δ again
    let releases = ["laplace:0.1x100", "subsampled-gaussian:0.01,2"];
    let ask = |option: &str, value: &str| json(&[&releases[..], &[option, value]].concat());
    let total = ask("--delta", "1e-6");
    for name in ["rdp", "pld"] {
        let epsilon = method(&total, name)["epsilon"].as_f64().unwrap();
        let back = ask("--epsilon", &epsilon.to_string());
        let delta = method(&back, name)["delta"].as_f64().unwrap();
        assert!((delta / 1e-6 - 1.0).abs() < 0.01, "{name}: {delta}");
    }
    // ε and δ cannot both be given, and ε is a number from 0 on
    for wrong in [
        &["--epsilon", "1", "--delta", "1e-6"][..],
        &["--epsilon", "-1"],
    ] {
        epsweep()
            .args(["account", "gaussian:2"])
            .args(wrong)
            .assert()
            .code(2);
    }
    (epsweep()
        .args(["account", "gaussian:0.025", "--epsilon", "800"])
        .assert())
    .code(0)
    .stdout(contains(
        "together (800, 0.49003266)-differentially private, by basic",
    ));
}

/// Sums of decimals are not decimals; what is printed is read, and JSON keeps the digits.
#[test]
fn what_is_computed_is_printed_without_the_dust_of_rounding() {
    let asked = [
        "zcdp:0.1x3",
        "approximate:0.1,1.1e-8x5",
        "zcdp:0.2",
        "--delta",
        "3e-7",
    ];
    let output = epsweep().arg("account").args(asked).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["ρ = 0.525", "has δ = 6.125e-8"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let long = |word: &str| word.chars().filter(char::is_ascii_digit).count() > 13;
    assert!(!text.split([' ', ',', ';', '\n']).any(long), "{text}");
    let whole = json(&asked);
    let epsilon = method(&whole, "zcdp")["epsilon"].as_f64().unwrap();
    assert!(epsilon.to_string().len() > 13, "{epsilon}");
}
