//! No file, however mangled, makes the reader panic, and whatever it accepts is usable.

use super::*;
use proptest::prelude::*;

fn seeds() -> Vec<String> {
    let read = |name: &str| std::fs::read_to_string(experiments().join(name)).unwrap();
    vec![
        BASE.to_owned(),
        read("adaptive-allocation.toml"),
        read("sensitivities.toml"),
        read("epsilon-sweep.toml"),
    ]
}

/// Pieces that readers may stumble over.
const PIECES: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "0",
    "-1",
    "1e400",
    "1e-400",
    "99999999999999999999999999999999999999999",
    "''",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "[[query]]",
    "[sweep]",
    "\n",
    "=",
    ",",
    ".",
    "#",
    "true",
    "1979-05-27",
    "é",
    "\u{feff}",
    "\u{0}",
    "\r",
    "'age >'",
    "{ log = [1, 2], points = 2 }",
    "[[1]]",
    "epsilon = []",
    "name = 1",
    "data = 1",
    "1e5",
    "\"even\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mangled_files_are_refused_or_resolved(
        seed in 0usize..4,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..30, 0usize..PIECES.len(), any::<bool>()), 1..6),
    ) {
        let mut text: Vec<char> = seeds()[seed].chars().collect();
        for (at, remove, piece, insert) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + remove).min(text.len());
            let new: Vec<char> = if insert { PIECES[piece].chars().collect() } else { Vec::new() };
            text.splice(at..end, new);
        }
        let text: String = text.into_iter().collect();
        check(&text)?;
    }

    #[test]
    fn mangled_lines_are_refused_or_resolved(
        seed in 0usize..4,
        moves in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let text = seeds()[seed].clone();
        let mut lines: Vec<&str> = text.lines().collect();
        for (from, to) in moves {
            let line = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len() + 1), line);
        }
        check(&lines.join("\n"))?;
    }

    #[test]
    fn values_of_any_kind_are_refused_or_resolved(place in any::<prop::sample::Index>(), piece in 0usize..PIECES.len()) {
        // every value of the base in turn
        let starts: Vec<usize> = BASE.match_indices("= ").map(|(at, _)| at + 2).collect();
        let start = starts[place.index(starts.len())];
        let end = start + BASE[start..].find(['\n', ',', '}']).unwrap();
        check(&format!("{}{}{}", &BASE[..start], PIECES[piece], &BASE[end..]))?;
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match plan(text) {
        Ok(plan) => {
            prop_assert_eq!(plan.cells().len(), plan.resolved().cells.len());
            prop_assert!(!plan.cells().is_empty());
            for query in plan.cells().iter().flat_map(|cell| &cell.queries) {
                prop_assert!(query.truth.is_finite() && query.noise.scale().is_finite());
            }
            for (a, b) in plan.pairs() {
                prop_assert!(a != b && (*a).max(*b) < plan.cells().len());
            }
        }
        Err(errors) => {
            prop_assert!(!errors.list().is_empty());
            let all = errors.to_string();
            prop_assert!(!all.contains("no reason was found"), "{}\n{}", all, text);
        }
    }
    Ok(())
}
