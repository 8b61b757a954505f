//! Lines under their headings, as many as a page holds, and each only once.

use super::{HEAD, Line, ROW};
use crate::figure::style::{Style, shorten};

/// Lines under one heading.
pub(super) struct Block<'a> {
    pub(super) heading: String,
    pub(super) lines: &'a [Line],
}

/// The blocks that a page has room for, as a whole as far as can be, and the places of their lines. Blocks of the same numbers (a scale that
/// cancels, or ties) become one, under all their headings.
pub(super) fn blocks<'a>(
    lines: &'a [Line],
    headed: bool,
    style: &Style,
    level: f64,
) -> (Vec<Block<'a>>, Vec<usize>) {
    let mut found: Vec<(Vec<&str>, &[Line], Vec<usize>)> = Vec::new();
    let mut place = 0;
    for chunk in lines.chunk_by(|a, b| a.heading == b.heading) {
        let places = place..place + chunk.len();
        place += chunk.len();
        let equal = |other: &[Line]| {
            other.len() == chunk.len() && other.iter().zip(chunk).all(|(a, b)| a.same(b, level))
        };
        match found.iter_mut().find(|(_, other, _)| equal(other)) {
            Some((headings, _, all)) => {
                headings.push(&chunk[0].heading);
                all.extend(places);
            }
            None => found.push((vec![&chunk[0].heading], chunk, places.collect())),
        }
    }
    let (mut blocks, mut kept) = (Vec::new(), Vec::new());
    let mut room = style.page / style.text;
    for (headings, lines, places) in found {
        let head = if headed { HEAD } else { 0.0 };
        let most = match blocks.is_empty() {
            true => ((room - head) / ROW) as usize,
            false if head + ROW * lines.len() as f64 > room => break,
            false => lines.len(),
        };
        let shown = &lines[..lines.len().min(most.max(1))];
        room -= head + ROW * shown.len() as f64;
        let first = |place: &usize| (place - places[0]) % lines.len() < shown.len();
        kept.extend(places.iter().copied().filter(first));
        blocks.push(Block {
            heading: match headed {
                true => together(&headings),
                false => String::new(),
            },
            lines: shown,
        });
    }
    kept.sort_unstable();
    (blocks, kept)
}

/// Several headings as one: what they share is said once, and where they are all combinations of some values, these are listed.
pub(super) fn together(headings: &[&str]) -> String {
    let split: Vec<Vec<&str>> = headings.iter().map(|h| h.split(", ").collect()).collect();
    let parts = split[0].len();
    let mut values: Vec<Vec<&str>> = vec![Vec::new(); parts];
    for heading in &split {
        for (known, part) in values.iter_mut().zip(heading) {
            if !known.contains(part) {
                known.push(part);
            }
        }
    }
    let combinations: usize = values.iter().map(Vec::len).product();
    if split.iter().any(|heading| heading.len() != parts) || combinations != headings.len() {
        return listed_names(headings, "; ");
    }
    let of = |values: &Vec<&str>| {
        if let [one] = values.as_slice() {
            return (*one).to_owned();
        }
        let numbers: Option<Vec<(&str, &str)>> =
            values.iter().map(|value| value.split_once(" = ")).collect();
        match numbers {
            Some(numbers) if numbers.iter().all(|(name, _)| *name == numbers[0].0) => {
                let own: Vec<&str> = numbers.iter().map(|(_, value)| *value).collect();
                format!("{} = {}", numbers[0].0, listed(&own, " | "))
            }
            _ => listed_names(values, " | "),
        }
    };
    let texts: Vec<String> = values.iter().map(of).collect();
    texts.join(", ")
}

/// Letters from which on a list has no room in a heading.
const LONG: usize = 60;
/// Letters of the first value of such a list.
const FIRST: usize = 16;

/// A list that is cut in its middle if it has many values.
fn listed(values: &[&str], between: &str) -> String {
    match values {
        [first, second, .., last] if values.len() > 8 => {
            [first, second, &"…", last].map(|text| *text).join(between)
        }
        _ => values.join(between),
    }
}

/// As [`listed`], of names: of long ones the first alone, with how many there are. Cut as a text the list would look like a single name.
fn listed_names(names: &[&str], between: &str) -> String {
    let text = listed(names, between);
    match names {
        [first, _, ..] if text.chars().count() > LONG => {
            format!("{}{between}… ({})", shorten(first, FIRST), names.len())
        }
        _ => text,
    }
}
