//! Texts: how wide they are, and how they are shortened and broken so that they fit.

use super::FAMILY;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Registers the embedded font with plotters, once.
fn fonts_ready() -> bool {
    static READY: OnceLock<bool> = OnceLock::new();
    *READY.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold()).is_ok()
    })
}

/// Characters that take a whole em and that the embedded font lacks.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD)
}

/// Width of a text in points, for letters of a size.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    // plotters takes the height of the face (1.164 em for DejaVu) for its size, and rounds to whole pixels
    const FACE_HEIGHT: f64 = 1.164;
    const FINE: f64 = 100.0;
    let wide = text.chars().filter(|c| is_wide(*c)).count() as f64;
    let narrow: String = text.chars().filter(|c| !is_wide(*c)).collect();
    let measured = fonts_ready()
        .then(|| {
            let face = if bold {
                FontStyle::Bold
            } else {
                FontStyle::Normal
            };
            FontDesc::new(FontFamily::Name(FAMILY), FINE * FACE_HEIGHT, face)
                .box_size(&narrow)
                .ok()
                .map(|(width, _)| f64::from(width) / FINE)
        })
        .flatten()
        .unwrap_or(0.65 * narrow.chars().count() as f64);
    (measured + wide) * size
}

/// Between parts of a label, and between values that are listed.
const PARTS: [&str; 2] = [", ", ": "];
const LISTED: &str = " | ";
/// A part is not cut to fewer letters.
const LEAST_PART: usize = 8;

/// At most `most` characters. Of a list its middle gives way, of a label of several parts the longest one, of a single text the middle: labels differ at
/// their ends.
pub fn shorten(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let listed = fewer_values(text, most);
    if listed.chars().count() <= most {
        return listed;
    }
    if let Some(shorter) = shorter_part(&listed, most) {
        return shorter;
    }
    let kept = most.saturating_sub(1);
    let tail = kept / 3;
    let head = kept - tail;
    let start: String = letters[..head].iter().collect();
    let end: String = letters[letters.len() - tail..].iter().collect();
    format!("{}…{}", start.trim_end(), end.trim_start())
}

/// A list without values of its middle: as few as need be, or all but the first and the last.
fn fewer_values(text: &str, most: usize) -> String {
    let values: Vec<&str> = text.split(LISTED).collect();
    let mut listed = text.to_owned();
    for kept in (2..values.len()).rev() {
        if listed.chars().count() <= most {
            break;
        }
        let (start, end) = (kept.div_ceil(2), kept / 2);
        let values = [&values[..start], &["…"], &values[values.len() - end..]];
        listed = values.concat().join(LISTED);
    }
    listed
}

/// A label whose longest part is shorter; `None` where that leaves too little of it.
fn shorter_part(text: &str, most: usize) -> Option<String> {
    let mut ends: Vec<usize> = (PARTS.iter())
        .flat_map(|between| text.match_indices(between).map(|(place, _)| place))
        .collect();
    ends.sort_unstable();
    ends.push(text.len());
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + PARTS[0].len()));
    let parts = starts
        .zip(ends.iter().copied())
        .filter(|(start, end)| start < end);
    let size = |(start, end): (usize, usize)| text[start..end].chars().count();
    let (start, end) = parts.max_by_key(|part| size(*part))?;
    let room = most.checked_sub(text.chars().count() - size((start, end)))?;
    let alone = (start, end) == (0, text.len());
    (!alone && room >= LEAST_PART).then(|| {
        let part = shorten(&text[start..end], room);
        format!("{}{part}{}", &text[..start], &text[end..])
    })
}

/// Shortened until it fits into a width.
pub fn fit(text: &str, width: f64, size: f64, bold: bool) -> String {
    let mut most = text.chars().count();
    let mut fitted = text.to_owned();
    while most > 1 && text_width(&fitted, size, bold) > width {
        most -= 1;
        fitted = shorten(text, most);
    }
    fitted
}

/// Names made short, each by itself, but for those that would look alike: of these what all of them share gives way, and what tells them apart
/// stays, with as much around it as there is room for.
pub fn apart(names: &[String], short: impl Fn(&str) -> String) -> Vec<String> {
    // what differs first may itself be too long, and differ within
    const ROUNDS: usize = 4;
    let mut all: Vec<String> = names.iter().map(|name| short(name)).collect();
    for _ in 0..ROUNDS {
        let groups = alike(names, &all);
        if groups.is_empty() {
            break;
        }
        for group in groups {
            let of_group: Vec<&str> = group.iter().map(|i| names[*i].as_str()).collect();
            for (place, text) in group.iter().zip(around_own(&of_group, &short)) {
                all[*place] = text;
            }
        }
    }
    let even = cut_alike(names, &all, &short);
    match alike(names, &even).is_empty() {
        true => even,
        false => all,
    }
}

/// The same short names, but that a part which several names have is cut at the same place in all of them: where there is least room for it.
fn cut_alike(names: &[String], all: &[String], short: &dyn Fn(&str) -> String) -> Vec<String> {
    let split = |text: &str| {
        text.split(PARTS[0])
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let pairs: Vec<(Vec<String>, Vec<String>)> = (names.iter().zip(all))
        .map(|(name, own)| (split(name), split(own)))
        .collect();
    for (whole, cut) in pairs.iter().filter(|(whole, cut)| whole.len() == cut.len()) {
        for (whole, cut) in whole.iter().zip(cut) {
            let known = forms.entry(whole.clone()).or_default();
            if !known.contains(cut) {
                known.push(cut.clone());
            }
        }
    }
    let least = |part: &String| -> Option<String> {
        let known = forms.get(part).filter(|known| known.len() > 1)?;
        let shortest = known.iter().map(|form| form.chars().count()).min()?;
        Some(shorten(part, shortest))
    };
    (pairs.iter().zip(all))
        .map(|((whole, cut), own)| {
            if whole.len() != cut.len() {
                return own.clone();
            }
            let parts: Vec<String> = (whole.iter().zip(cut))
                .map(|(whole, cut)| least(whole).unwrap_or_else(|| cut.clone()))
                .collect();
            let text = parts.join(PARTS[0]);
            match short(&text) == text {
                true => text,
                false => own.clone(),
            }
        })
        .collect()
}

/// The places of different names with the same short form, group by group.
fn alike(names: &[String], short: &[String]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, text) in short.iter().enumerate() {
        groups.entry(text).or_default().push(place);
    }
    let differ = |group: &Vec<usize>| group.iter().any(|i| names[*i] != names[group[0]]);
    groups.into_values().filter(differ).collect()
}

/// Names cut in what all of them share: each keeps its own part, and all of them as many words of their beginnings and ends as let every one be
/// whole. Where whole words are too much, they are cut between letters.
fn around_own(names: &[&str], short: &dyn Fn(&str) -> String) -> Vec<String> {
    let names: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let first = names.first().map_or(&[][..], Vec::as_slice);
    let whole = |(text, shared, kept): (&[char], _, _)| {
        let text = condensed(text, shared, kept);
        short(&text) == text
    };
    for words in [true, false] {
        let (head, tail) = shared(&names, words);
        // places beside whole words
        let place = |kept: &usize, of: usize, letter: usize| {
            *kept == 0 || *kept == of || first.get(letter) == Some(&' ')
        };
        let ends: Vec<usize> = (0..=tail)
            .filter(|kept| place(kept, tail, first.len().wrapping_sub(kept + 1)))
            .collect();
        let mut both: Vec<(usize, usize)> = (0..=head)
            .filter(|kept| place(kept, head, *kept))
            .flat_map(|start| ends.iter().map(move |end| (start, *end)))
            .collect();
        // names mostly begin with what they are of: a beginning is to be about twice as long as an end
        both.sort_by_key(|(start, end)| Reverse((*start.min(&(2 * end)), start + end)));
        let fits =
            |kept: &&(usize, usize)| (names.iter()).all(|name| whole((name, (head, tail), **kept)));
        let best = both.iter().find(fits).copied();
        if let Some(kept) = best.or((!words).then_some((0, 0))) {
            let texts = names.iter().map(|name| condensed(name, (head, tail), kept));
            return texts.map(|text| short(&text)).collect();
        }
    }
    Vec::new()
}

/// A name of whose shared beginning and end only so much is kept.
fn condensed(name: &[char], (head, tail): (usize, usize), kept: (usize, usize)) -> String {
    let part = |from: usize, to: usize| name[from..to].iter().collect::<String>();
    let (start, end) = (part(0, kept.0), part(name.len() - kept.1, name.len()));
    let own = part(head, name.len() - tail);
    match (kept.0 < head, kept.1 < tail) {
        (true, true) => format!("{}…{}…{}", start.trim_end(), own.trim(), end.trim_start()),
        (true, false) => format!("{}…{}{end}", start.trim_end(), own.trim_start()),
        (false, true) => format!("{start}{}…{}", own.trim_end(), end.trim_start()),
        (false, false) => format!("{start}{own}{end}"),
    }
}

/// How many letters all names begin with, and end with, up to whole words or numbers.
fn shared(names: &[Vec<char>], words: bool) -> (usize, usize) {
    let Some(first) = names.first() else {
        return (0, 0);
    };
    let least = names.iter().map(Vec::len).min().unwrap_or(0);
    let within = |letter: char| match words {
        true => letter != ' ',
        false => letter.is_ascii_digit(),
    };
    let same = |place: &usize| names.iter().all(|name| name[*place] == first[*place]);
    let mut head = (0..least).take_while(same).count();
    while head > 0 && within(first[head - 1]) {
        head -= 1;
    }
    let from_end = |name: &[char], place: usize| name[name.len() - 1 - place];
    let same = |place: &usize| {
        (names.iter()).all(|name| from_end(name, *place) == from_end(first, *place))
    };
    let mut tail = (0..least - head).take_while(same).count();
    while tail > 0 && within(first[first.len() - tail]) {
        tail -= 1;
    }
    (head, tail)
}

/// Broken into lines no wider than `width`, at spaces, after hyphens and between wide characters; a word that is too
/// long is shortened.
pub fn wrap(text: &str, width: f64, size: f64, bold: bool) -> Vec<String> {
    let mut pieces: Vec<String> = vec![String::new()];
    let mut characters = text.chars().peekable();
    let mut before = None;
    while let Some(c) = characters.next() {
        // a sign of per cent stays beside its number, and a value beside its name
        let next = characters.peek().copied();
        let holds = matches!(next, Some('%' | '=')) || before == Some('=');
        before = Some(c);
        let breaks = (c == ' ' && !holds) || is_wide(c);
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
        if breaks || (c == '-' || c == '_' || (c == '=' && next != Some(' '))) {
            pieces.push(String::new());
        }
    }
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces.iter().filter(|p| !p.is_empty()) {
        let longer = format!("{line}{piece}");
        if line.is_empty() || text_width(longer.trim_end(), size, bold) <= width {
            line = longer;
        } else {
            lines.push(line.trim_end().to_owned());
            line = piece.clone();
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
        .iter()
        .filter(|l| !l.is_empty())
        .map(|l| fit(l, width, size, bold))
        .collect()
}

/// Broken as by [`wrap`] into at most so many lines of letters of a size, bold or not. A text that is longer loses its middle, and that is seen.
pub fn wrap_within(text: &str, most: usize, width: f64, (size, bold): (f64, bool)) -> Vec<String> {
    let mut lines = wrap(text, width, size, bold);
    if lines.len() <= most {
        return lines;
    }
    // as many letters as can be
    let (mut fits, mut too_many) = (1, text.chars().count());
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        let shorter = wrap(&shorten(text, middle), width, size, bold);
        match shorter.len() <= most {
            true => (fits, lines) = (middle, shorter),
            false => too_many = middle,
        }
    }
    lines.truncate(most);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_embedded_font() {
        // advance widths of DejaVu Sans in units of 2048 per em: digits 1303, space 651
        assert!((text_width("0000000000", 2048.0, false) - 13030.0).abs() < 30.0);
        assert!((text_width("中文", 10.0, false) - 20.0).abs() < 1e-9);
        assert!(text_width("mean", 10.0, true) > text_width("mean", 10.0, false));
    }

    #[test]
    fn long_labels_keep_both_ends() {
        assert_eq!(shorten("abcdefghij", 10), "abcdefghij");
        assert_eq!(shorten("abcdefghijk", 10), "abcdef…ijk");
        let fitted = fit(&"wide ".repeat(60), 100.0, 8.0, false);
        assert!(text_width(&fitted, 8.0, false) <= 100.0 && fitted.contains('…'));
    }

    #[test]
    fn of_labels_the_longest_part_gives_way_and_of_lists_the_middle() {
        let label = "count by department of the ministry: 07, ε = 0.310723";
        assert_eq!(shorten(label, 34), "count by d…istry: 07, ε = 0.310723");
        let list = "mean, ε = 0.1 | 0.176273 | 0.310723 | 0.547723 | 3";
        assert_eq!(shorten(list, 40), "mean, ε = 0.1 | 0.176273 | … | 3");
        assert_eq!(
            shorten(list, 49),
            "mean, ε = 0.1 | 0.176273 | … | 0.547723 | 3"
        );
        let both = "count by department of the ministry: 07, ε = 0.1 | 0.3 | 1 | 3";
        assert_eq!(
            shorten(both, 40),
            "count by dep…nistry: 07, ε = 0.1 | … | 3"
        );
    }

    #[test]
    fn a_text_of_too_many_lines_is_cut_where_it_is_seen() {
        let long = "a title that goes on and on ".repeat(20);
        let lines = wrap_within(&long, 3, 200.0, (8.0, true));
        assert_eq!(lines.len(), 3);
        assert!(lines.concat().contains('…') && lines[2].ends_with("on"));
        assert_eq!(wrap_within("short", 3, 200.0, (8.0, true)), ["short"]);
    }

    #[test]
    fn lines_are_no_wider_than_allowed_and_lose_no_word() {
        let text = "the mean of the largest error over one hundred thousand trials";
        let lines = wrap(text, 90.0, 8.0, false);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|l| text_width(l, 8.0, false) <= 90.0));
        assert_eq!(lines.join(" "), text);
        let room = text_width("coverage 99.50", 8.0, false) + 1.0;
        assert_eq!(
            wrap("coverage 99.50 %", room, 8.0, false),
            ["coverage", "99.50 %"]
        );
        let room = text_width("over 60: ε =", 8.0, false);
        assert_eq!(
            wrap("over 60: ε = 1", room, 8.0, false),
            ["over 60:", "ε = 1"]
        );
    }

    #[test]
    fn what_several_names_share_is_cut_at_one_place() {
        let names = [
            "ε = 0.1, proportional",
            "ε = 3, proportional",
            "ε = 3, even",
        ]
        .map(str::to_owned);
        let short = |text: &str| shorten(text, 18);
        assert_eq!(short(&names[1]), "ε = 3, proport…nal");
        assert_eq!(
            apart(&names, short),
            ["ε = 0.1, propor…al", "ε = 3, propor…al", "ε = 3, even"]
        );
        // which must not make names alike that were told apart
        let close = [
            "ε = 0.1, abcdefghijklmnopqrs",
            "ε = 3, abcdefghijklmnopqrs",
            "ε = 3, abcdefgh-jklmnopqrs",
        ]
        .map(str::to_owned);
        let mut all = apart(&close, short);
        all.dedup();
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn short_names_stay_apart() {
        let names = |make: &dyn Fn(usize) -> String| (0..3).map(make).collect::<Vec<String>>();
        let short = |text: &str| shorten(text, 16);
        let long = names(&|i| format!("the people in district {i} who gave an answer"));
        let words = ["the…0…an answer", "the…1…an answer", "the…2…an answer"];
        assert_eq!(apart(&long, short), words);
        let budgets = names(&|i| format!("the people in district 7 who gave an answer, ε = {i}"));
        let wide = |text: &str| shorten(text, 24);
        let context = [
            "all the many…0…an answer",
            "all the many…1…an answer",
            "all the many…2…an answer",
        ];
        let longer = names(&|i| format!("all the many people in district {i} who gave an answer"));
        assert_eq!(apart(&longer, wide), context);
        let ends = ["the pe…er, ε = 0", "the pe…er, ε = 1", "the pe…er, ε = 2"];
        assert_eq!(apart(&budgets, short), ends);
        // what fits or differs is as it was, and equal names stay equal
        let few = names(&|i| format!("q{i}"));
        assert_eq!(apart(&few, short), few);
        let equal = vec!["a name that is much too long".to_owned(); 2];
        assert_eq!(apart(&equal, short), [short(&equal[0]), short(&equal[0])]);
        // some of many
        let mut mixed = long.clone();
        mixed.push("over 60".to_owned());
        assert_eq!(apart(&mixed, short), [&words[..], &["over 60"]].concat());
        assert_eq!(apart(&[], short), Vec::<String>::new());
        // two things differ, and words are too long
        let grid: Vec<String> = (0..40)
            .map(|i| {
                format!(
                    "département{}longueur, bornes{}jusque-là",
                    10 + i / 4,
                    i % 4
                )
            })
            .collect();
        let mut all = apart(&grid, |text| shorten(text, 14));
        assert!(all.iter().all(|text| text.chars().count() <= 14), "{all:?}");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), grid.len(), "{all:?}");
    }
}
