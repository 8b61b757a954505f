//! What `crates/README.md` says of the modules is so: which there are, which may import which, and along which arrows data flow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const PAGE: &str = "crates/README.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The part of the page under a heading, up to the next one of its level.
fn section(heading: &str) -> String {
    let page = read(PAGE);
    let start = page.find(&format!("\n## {heading}\n"));
    let rest = &page[start.unwrap_or_else(|| panic!("{PAGE} has no section {heading}")) + 1..];
    rest[..rest.find("\n## ").unwrap_or(rest.len())].to_owned()
}

/// The modules of the table in a section, from the lowest to the highest: the first cell of each row, in backticks.
fn ranks(section: &str) -> Vec<String> {
    (section.lines())
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The code of a source without comments, texts and what is compiled for tests alone. Lines stay where they are.
fn code(text: &str) -> String {
    let bare = without_words(text);
    let mut out = String::new();
    let mut rest = bare.as_str();
    while let Some(start) = rest.find("#[cfg(test)]") {
        out += &rest[..start];
        let item = &rest[start..];
        let length = item_length(item);
        out.extend(item[..length].chars().filter(|c| *c == '\n'));
        rest = &item[length..];
    }
    out + rest
}

/// How far the item at the beginning reaches: to its `;` or to the end of its braces.
fn item_length(item: &str) -> usize {
    let mut depth = 0;
    for (at, c) in item.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    item.len()
}

/// Comments become blanks, texts and characters empty ones.
fn without_words(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    let lines = |from: usize, to: usize| chars[from..to].iter().filter(|c| **c == '\n');
    while at < chars.len() {
        let here = &chars[at..];
        let start = at;
        if here.starts_with(&['/', '/']) {
            at += here.iter().position(|c| *c == '\n').unwrap_or(here.len());
        } else if here.starts_with(&['r', '"']) || here.starts_with(&['r', '#']) && raw(here) {
            let hashes = here[1..].iter().take_while(|c| **c == '#').count();
            let end: Vec<char> = std::iter::once('"').chain(vec!['#'; hashes]).collect();
            let body = hashes + 2;
            let length = here[body..].windows(end.len()).position(|w| w == end);
            at += body + length.expect("a raw text ends") + end.len();
        } else if here[0] == '"' {
            at += 1;
            while chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if here.starts_with(&['\'', '\\']) {
            at += 3 + here[3..]
                .iter()
                .position(|c| *c == '\'')
                .expect("a character ends");
        } else if here.len() > 2 && here[0] == '\'' && here[2] == '\'' {
            at += 3;
        } else {
            out.push(here[0]);
            at += 1;
            continue;
        }
        out.extend(lines(start, at));
    }
    out
}

fn raw(here: &[char]) -> bool {
    here[1..].iter().find(|c| **c != '#') == Some(&'"')
}

/// A source file of a crate: its path from the root, the modules it lies in, its code.
struct Source {
    path: String,
    modules: Vec<String>,
    code: String,
}

/// All sources of a crate but those that are compiled for tests alone.
fn sources(name: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    let folder = format!("crates/{name}/src");
    let mut open = vec![(format!("{folder}/lib.rs"), folder, Vec::new())];
    while let Some((path, inside, modules)) = open.pop() {
        let code = code(&read(&path));
        for declared in code.lines().filter_map(module) {
            let mut modules = modules.clone();
            modules.push(declared.to_owned());
            let inside = format!("{inside}/{declared}");
            let [file, folder] = [format!("{inside}.rs"), format!("{inside}/mod.rs")];
            let found = if root().join(&file).exists() {
                file
            } else {
                folder
            };
            open.push((found, inside, modules));
        }
        sources.push(Source {
            path,
            modules,
            code,
        });
    }
    assert!(sources.len() > 100, "{name}: {} sources", sources.len());
    sources
}

/// The name in `mod name;`.
fn module(line: &str) -> Option<&str> {
    let words = line.trim().strip_suffix(';')?;
    let name = match words.split_once("mod ")? {
        ("" | "pub ", name) => name,
        (scope, name) if scope.starts_with("pub(") && scope.ends_with(") ") => name,
        _ => return None,
    };
    name.chars()
        .all(|c| c.is_alphanumeric() || c == '_')
        .then_some(name)
}

/// The modules at the root of the crate that a source names, with their lines: by `crate::`, or by as many `super::` as lead there.
fn named(source: &Source) -> Vec<(usize, String)> {
    let up = "super::".repeat(source.modules.len());
    let mut found = Vec::new();
    for lead in ["crate::", &up] {
        for (at, _) in source.code.match_indices(lead) {
            let before = source.code[..at].chars().next_back();
            let inside_a_path = before.is_some_and(|c| c.is_alphanumeric() || "_:$".contains(c));
            if lead.is_empty() || inside_a_path {
                continue;
            }
            let line = source.code[..at].matches('\n').count() + 1;
            let rest = &source.code[at + lead.len()..];
            found.extend(heads(rest).into_iter().map(|head| (line, head)));
        }
    }
    found
}

/// The first names of a path, or of the paths in braces.
fn heads(rest: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = rest.strip_prefix('{') else {
        return vec![word(rest)];
    };
    let (mut depth, mut names, mut start) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            ',' if depth == 0 => {
                names.push(word(&group[start..at]));
                start = at + 1;
            }
            '}' if depth == 0 => {
                names.push(word(&group[start..at]));
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

/// Which modules a module imports, with the place of one import each.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

fn imports(name: &str) -> Imports {
    let sources = sources(name);
    let modules: BTreeSet<&str> = (sources.iter())
        .filter_map(|source| source.modules.first().map(String::as_str))
        .collect();
    let mut imports: Imports = (modules.iter())
        .map(|module| (module.to_string(), BTreeMap::new()))
        .collect();
    for source in &sources {
        let Some(own) = source.modules.first() else {
            continue;
        };
        for (line, other) in named(source) {
            if other != *own && modules.contains(other.as_str()) {
                let place = format!("{}:{line}", source.path);
                imports.get_mut(own).unwrap().entry(other).or_insert(place);
            }
        }
    }
    imports
}

/// Every module has its row, and imports none of a row below.
fn check_layers(name: &str) {
    let (imports, ranks) = (imports(name), ranks(&section(name)));
    let listed: BTreeSet<&str> = ranks.iter().map(String::as_str).collect();
    assert_eq!(listed.len(), ranks.len(), "a module of {name} has two rows");
    let there: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    assert_eq!(
        there, listed,
        "left: the modules of {name}; right: the rows of its table in {PAGE}"
    );
    let rank = |module: &str| ranks.iter().position(|row| row == module).unwrap();
    let mut faults = Vec::new();
    for (own, others) in &imports {
        for (other, place) in others {
            if rank(other) > rank(own) {
                faults.push(format!(
                    "{place}: `{own}` imports `{other}`, which stands below it in {PAGE}: move what is imported to where both may see it"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn modules_of_the_core_import_those_above_them_only() {
    check_layers("epsweep-core");
}

#[test]
fn modules_of_the_runner_import_those_above_them_only() {
    check_layers("epsweep");
}

/// Arrows of the diagram: solid where the end imports the start, dotted where the start imports the end.
#[test]
fn every_arrow_of_the_diagram_is_an_import() {
    let imports = imports("epsweep");
    let page = section("How data flow");
    let start = page.find("```mermaid\n").expect("a diagram") + 3;
    let diagram = &page[start..start + page[start..].find("```").expect("its end")];
    let mut arrows = 0;
    for line in diagram.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[from, arrow, to] = &words[..] else {
            continue;
        };
        let (who, whom) = match arrow {
            "-->" => (to, from),
            "-.->" => (from, to),
            _ => continue,
        };
        let known = imports
            .get(who)
            .unwrap_or_else(|| panic!("no module {who}"));
        assert!(
            known.contains_key(whom),
            "{line}: {who} does not import {whom}"
        );
        arrows += 1;
    }
    assert!(arrows >= 10, "{arrows} arrows");
    for (module, _) in imports {
        let shown = diagram.split_whitespace().any(|word| word == module);
        let said = page.contains(&format!("`{module}`"));
        assert!(
            shown || said,
            "{module} is neither in the diagram nor in the text below"
        );
    }
}

/// Where the sources of a crate have one of these, as path:line.
fn places(name: &str, of: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources(name) {
        for (line, text) in source.code.lines().enumerate() {
            if of.iter().any(|what| text.contains(what)) {
                found.push(format!("{}:{}", source.path, line + 1));
            }
        }
    }
    found
}

#[test]
fn the_core_is_pure() {
    let outside = [
        "std::fs",
        "std::io",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "print!(",
        "println!(",
        "serde::",
        "rayon::",
    ];
    assert_eq!(places("epsweep-core", &outside), Vec::<String>::new());
    // the instruction set, which changes no result
    for place in places("epsweep-core", &["std::env"]) {
        assert!(
            place.starts_with("crates/epsweep-core/src/random/level.rs:"),
            "{place}"
        );
    }
}

#[test]
fn the_command_line_alone_prints() {
    for place in places("epsweep", &["print!(", "println!("]) {
        assert!(place.starts_with("crates/epsweep/src/cli/"), "{place}");
    }
}

/// The reader of sources sees what it must, and passes over what is no import.
#[test]
fn imports_are_found_and_words_are_not() {
    let text = "//! [`crate::zero`]\nuse crate::{one, two::{three, four}};\nuse super::super::five;\nlet s = \"crate::six\";\n\
                #[cfg(test)]\nmod tests {\n    use crate::seven;\n}\n#[cfg(test)]\nuse crate::eight;\nlet c = '\"'; crate::nine::f::<'_>('\\'');\n";
    let source = Source {
        path: String::new(),
        modules: vec!["a".into(), "b".into()],
        code: code(text),
    };
    let found: Vec<(usize, String)> = named(&source);
    let expected = [(2, "one"), (2, "two"), (11, "nine"), (3, "five")];
    assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
}
