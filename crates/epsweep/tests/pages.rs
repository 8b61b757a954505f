//! What the pages say is so: links lead somewhere, commands exist and do what is shown, the gallery is made of the reports.

mod common;

use common::epsweep;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Pages for readers, from the root of the repository.
const PAGES: &[&str] = &[
    "README.md",
    "crates/README.md",
    "crates/epsweep/CHANGELOG.md",
    "crates/epsweep/README.md",
    "crates/epsweep/tests/README.md",
    "experiments/README.md",
    "experiments/format.md",
    "results/README.md",
    "results/benchmarks/README.md",
    "results/controls/README.md",
    "results/json.md",
    "results/reading.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Blocks of code of a page, by their language, in their order.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(language) => {
                inside = true;
                blocks.push((language.to_owned(), Vec::new()));
            }
            None if inside => blocks.last_mut().unwrap().1.push(line.to_owned()),
            None => {}
        }
    }
    blocks
}

/// The page without blocks of code.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// The anchors that a page's headings have on GitHub.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for heading in prose(page).lines().filter(|line| line.starts_with('#')) {
        let slug: String = (heading
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .chars())
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect();
        let times = seen.entry(slug.clone()).or_default();
        anchors.insert(match times {
            0 => slug,
            _ => format!("{slug}-{times}"),
        });
        *times += 1;
    }
    anchors
}

#[test]
fn every_link_leads_somewhere() {
    let mut faults = Vec::new();
    let mut links = 0;
    for page in PAGES {
        let text = read(page);
        let prose = prose(&text);
        let markdown = prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        let html = ["href=\"", "src=\""]
            .into_iter()
            .flat_map(|lead| (prose.split(lead).skip(1)).filter_map(|rest| rest.split_once('"')));
        for (target, _) in markdown.chain(html) {
            if target.starts_with("http") {
                continue;
            }
            links += 1;
            let (path, anchor) = match target.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (target, None),
            };
            let folder = Path::new(page).parent().unwrap();
            let file = match path {
                "" => root().join(page),
                _ => root().join(folder).join(path),
            };
            if !file.exists() {
                faults.push(format!("{page}: {target}: there is no such file"));
            } else if let Some(anchor) = anchor {
                let there = anchors(&std::fs::read_to_string(&file).unwrap());
                if !there.contains(anchor) {
                    faults.push(format!("{page}: {target}: the page has no such heading"));
                }
            }
        }
    }
    assert!(links > 100, "{links} links");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A command line as a shell would take it apart: words, of which those in quotes keep their blanks. A comment ends it.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars().chain([' ']) {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.push(c),
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ' ' => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            None if c == '#' && word.is_empty() => break,
            None => word.push(c),
        }
    }
    words
}

fn help(command: &str) -> String {
    let output = epsweep().args([command, "--help"]).output().unwrap();
    assert!(output.status.success(), "epsweep {command} --help");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_command_that_is_shown_exists_with_its_options() {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut shown = 0;
    for page in PAGES {
        for (language, lines) in blocks(&read(page)) {
            if !["sh", "console"].contains(&language.as_str()) {
                continue;
            }
            for line in lines {
                let words = words(&line);
                let own = words
                    .iter()
                    .position(|word| word == "epsweep" || word == "--");
                let Some(command) = own.and_then(|at| words.get(at + 1)) else {
                    continue;
                };
                if words[own.unwrap()] == "--" && words[0] != "cargo" {
                    continue;
                }
                let help = known
                    .entry(command.clone())
                    .or_insert_with(|| help(command));
                for option in words[own.unwrap()..]
                    .iter()
                    .filter(|w| w.starts_with("--") && w.len() > 2)
                {
                    let name = option.split('=').next().unwrap();
                    assert!(help.contains(name), "{page}: {line}: no option {name}");
                }
                shown += 1;
            }
        }
    }
    assert!(shown > 15, "{shown} commands");
}

#[test]
fn the_table_of_commands_has_all() {
    let output = epsweep().arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let list = help.split("Commands:").nth(1).expect("a list of commands");
    // what is said of a command may go on in further lines, which are indented by more
    let names: Vec<&str> = (list.lines().skip(1))
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| {
            line.strip_prefix("  ")
                .filter(|line| !line.starts_with(' '))
        })
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 10, "{names:?}");
    let page = read("crates/epsweep/README.md");
    for name in names {
        let row = page.lines().any(|line| {
            line.starts_with("| `epsweep ") && line.contains(&format!("`epsweep {name}"))
        });
        assert!(
            row,
            "crates/epsweep/README.md has no row for `epsweep {name}`"
        );
    }
}

/// README.md is one screen, and keeps the commands of a cluster.
#[test]
fn the_first_page_is_short() {
    let page = read("README.md");
    let lines = page.lines().count();
    assert!(lines <= 70, "{lines} lines");
    for needed in [
        "scripts/slurm/submit",
        "parallel epsweep run",
        "<!-- test command -->",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
}

/// The first hour, typed from the page: every command ends well, and prints the lines that are shown below it.
#[test]
fn the_first_hour_is_as_it_is_told() {
    let page = read("experiments/README.md");
    let start = page.find("\n## A first hour\n").expect("a first hour");
    let end = page.find("\n## Method\n").expect("its end");
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("experiments/data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::copy(
        root().join("experiments/data/ratings.csv"),
        data.join("ratings.csv"),
    )
    .unwrap();
    let (mut printed, mut commands, mut compared) = (String::new(), 0, 0);
    for (language, lines) in blocks(&page[start..end]) {
        match language.as_str() {
            "sh" => {
                printed.clear();
                for line in lines {
                    let words = words(&line);
                    assert_eq!(words[0], "epsweep", "{line}");
                    let output = (epsweep().current_dir(folder.path()).args(&words[1..])).output();
                    let output = output.unwrap();
                    let errors = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{line}\n{errors}");
                    printed += &String::from_utf8(output.stdout).unwrap();
                    commands += 1;
                }
            }
            "text" => {
                for line in lines.iter().filter(|line| *line != "…") {
                    let there = printed
                        .lines()
                        .any(|other| other.trim_end() == line.trim_end());
                    assert!(there, "nothing prints this line:\n{line}\nbut\n{printed}");
                    compared += 1;
                }
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(
        commands >= 8 && compared >= 8,
        "{commands} commands, {compared} lines"
    );
    for section in [
        "Estimates",
        "Comparisons",
        "Figures",
        "How the budget is spent",
        "Can this be trusted?",
        "How to repeat this",
    ] {
        let report =
            std::fs::read_to_string(folder.path().join("results/ratings/report.md")).unwrap();
        assert!(report.contains(&format!("## {section}\n")), "{section}");
        assert!(
            page[start..end].contains(&format!("| {section} |")),
            "{section}"
        );
    }
}

/// results/README.md is what `scripts/gallery` makes of the reports.
#[cfg(unix)]
#[test]
fn the_gallery_is_made_of_the_reports() {
    let output = std::process::Command::new("bash")
        .arg(root().join("scripts/gallery"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let made = String::from_utf8(output.stdout).unwrap();
    assert!(
        made == read("results/README.md"),
        "results/README.md is another: scripts/gallery > /tmp/page && cp /tmp/page results/README.md"
    );
    let rows = made
        .lines()
        .filter(|line| line.starts_with("<tr><td"))
        .count();
    let experiments = std::fs::read_dir(root().join("experiments")).unwrap();
    let files = experiments
        .filter(|entry| entry.as_ref().unwrap().path().extension() == Some("toml".as_ref()));
    assert_eq!(rows, files.count());
}

/// The numbers of a sentence, as they are written, with the decimals that they have and whether they are percentages: `12 000`, `4.69`, `62 %`.
/// Powers of ten, and digits within names, are none.
fn numbers(text: &str) -> Vec<(String, f64, usize, bool)> {
    let mut found = Vec::new();
    let words: Vec<&str> = text.split([' ', '(', ')', ',', ';', ':']).collect();
    let mut at = 0;
    while at < words.len() {
        let mut written = words[at].trim_end_matches('.').to_owned();
        at += 1;
        if !written.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        // 12 000 is one number
        let group = |word: &str| word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit());
        while let Some(next) = words.get(at).map(|word| word.trim_end_matches('.'))
            && group(next)
            && written.bytes().all(|b| b.is_ascii_digit())
        {
            written += next;
            at += 1;
        }
        let share = words
            .get(at)
            .is_some_and(|word| word.trim_end_matches('.') == "%");
        let decimals = written
            .split_once('.')
            .map_or(0, |(_, behind)| behind.len());
        if let Ok(number) = written.parse() {
            found.push((written, number, decimals, share));
        }
    }
    found
}

/// Every number of a column of a committed table, those of the statistics that sentences speak of.
fn values(table: &str) -> Vec<f64> {
    let mut reader = csv::Reader::from_path(root().join(table)).unwrap();
    let heads = reader.headers().unwrap().clone();
    let place = |name: &str| heads.iter().position(|head| head == name);
    let columns: Vec<usize> = ["value", "exact", "low", "high", "claimed"]
        .iter()
        .filter_map(|name| place(name))
        .collect();
    let mut values = Vec::new();
    for row in reader.records() {
        let row = row.unwrap();
        if place("statistic").is_some_and(|at| table.ends_with("summary.csv") && &row[at] != "mean")
        {
            continue;
        }
        values.extend(columns.iter().filter_map(|at| row[*at].parse::<f64>().ok()));
    }
    values
}

/// Our words beside an experiment say its numbers: each stands in the experiment's file, or is a mean, an exact value or a claim of its run, rounded. By
/// chance a number of one digit may be among them; the claims of the file hold the statements.
#[test]
fn numbers_beside_the_gallery_are_those_of_the_runs() {
    let page = read("scripts/gallery.in.md");
    let (mut checked, mut faults) = (0, Vec::new());
    for line in page.lines() {
        let Some((name, remark)) = line.strip_prefix("@ ").and_then(|l| l.split_once(" | ")) else {
            continue;
        };
        let file = read(&format!("experiments/{name}.toml")).replace('_', "");
        let given: BTreeSet<String> = (numbers(&file.replace(['[', ']', '=', '\n', '"'], " "))
            .into_iter())
        .map(|(_, number, ..)| number.to_string())
        .collect();
        let mut known = values(&format!("results/{name}/claims.csv"));
        known.extend(values(&format!("results/{name}/summary.csv")));
        for (written, number, decimals, share) in numbers(remark) {
            let close = |value: f64| {
                (value - number).abs() <= 0.5 * 0.1_f64.powi(decimals as i32) * (1.0 + 1e-9)
            };
            let held = given.contains(&number.to_string())
                || known.iter().any(|value| match share {
                    // a percentage is a share, or what is above or below the whole
                    true => [*value, 1.0 - value, value - 1.0]
                        .iter()
                        .any(|part| close(100.0 * part)),
                    false => close(*value),
                });
            if !held {
                faults.push(format!("{written} of {name}"));
            }
            checked += 1;
        }
    }
    assert!(
        faults.is_empty(),
        "scripts/gallery.in.md says what no run says: {}",
        faults.join(", ")
    );
    assert!(checked > 60, "{checked} numbers");
    // a number that is not so would be noticed
    let known = values("results/adaptive-allocation/claims.csv");
    assert!(!known.iter().any(|value| (value - 137.0).abs() <= 0.5));
    assert_eq!(
        numbers("At ε = 1, 12 000 of 4.69 in 62 %, e^3 and 1e-6.").len(),
        5
    );
}
