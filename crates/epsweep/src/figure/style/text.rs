//! Texts: how wide they are, and how they are shortened and broken so that they fit.

use super::FAMILY;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
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

/// At most `most` characters: the middle gives way to an ellipsis, because labels differ at their ends.
pub fn shorten(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let tail = kept / 3;
    let head = kept - tail;
    let start: String = letters[..head].iter().collect();
    let end: String = letters[letters.len() - tail..].iter().collect();
    format!("{}…{}", start.trim_end(), end.trim_start())
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

/// Names made short, each by itself, but for those that would look alike: they lose what they share at their beginnings and ends first.
pub fn apart(names: &[String], short: impl Fn(&str) -> String) -> Vec<String> {
    let shortened = |names: &[String]| names.iter().map(|name| short(name)).collect::<Vec<_>>();
    let all = shortened(names);
    if alike(names, &all).is_empty() {
        return all;
    }
    // as much as can be stays of what is around
    let whole = |text: &String| short(text) == *text;
    let parts = [(true, false), (false, true), (true, true)];
    let texts = (parts.into_iter().map(|ends| without_shared(names, ends)))
        .find(|texts| texts.iter().all(whole))
        .unwrap_or_else(|| without_shared(names, (true, false)));
    let mut all = shortened(&texts);
    for group in alike(names, &all) {
        let of_group: Vec<String> = group.iter().map(|i| texts[*i].clone()).collect();
        for (place, text) in group.iter().zip(without_shared(&of_group, (true, true))) {
            all[*place] = short(&text);
        }
    }
    all
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

/// Names without the words that all of them begin with, or end with, or both.
fn without_shared(names: &[String], (begin, end): (bool, bool)) -> Vec<String> {
    let Some(first) = names.first() else {
        return Vec::new();
    };
    let letters: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let shared = |at: &dyn Fn(&[char], usize) -> Option<char>| {
        let own: Vec<char> = first.chars().collect();
        let same = |place: &usize| {
            let letter = at(&own, *place);
            letter.is_some() && letters.iter().all(|name| at(name, *place) == letter)
        };
        let mut end = (0..own.len()).take_while(same).count();
        // words stay whole
        while end > 0 && at(&own, end - 1) != Some(' ') {
            end -= 1;
        }
        end
    };
    let head = match begin {
        true => shared(&|name, place| name.get(place).copied()),
        false => 0,
    };
    let tail = match end {
        true => shared(&|name, place| {
            let from_end = name.len().checked_sub(place + 1)?;
            name.get(from_end).copied()
        }),
        false => 0,
    };
    letters
        .iter()
        .map(|name| match name.len() > head + tail {
            true => {
                let own: String = name[head..name.len() - tail].iter().collect();
                let mark = |cut: usize| if cut > 0 { "…" } else { "" };
                format!("{}{own}{}", mark(head), mark(tail))
            }
            false => name.iter().collect(),
        })
        .collect()
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
    fn short_names_stay_apart() {
        let names = |make: &dyn Fn(usize) -> String| (0..3).map(make).collect::<Vec<String>>();
        let short = |text: &str| shorten(text, 16);
        let long = names(&|i| format!("the people in district {i} who gave an answer"));
        assert_eq!(apart(&long, short), ["…0…", "…1…", "…2…"]);
        let budgets = names(&|i| format!("the people in district 7 who gave an answer, ε = {i}"));
        let wide = |text: &str| shorten(text, 24);
        let context = [
            "…0 who gave an answer",
            "…1 who gave an answer",
            "…2 who gave an answer",
        ];
        let longer = names(&|i| format!("all the many people in district {i} who gave an answer"));
        assert_eq!(apart(&longer, wide), context);
        let ends = ["the people…ε = 0", "the people…ε = 1", "the people…ε = 2"];
        assert_eq!(apart(&budgets, short), ends);
        // what fits or differs is as it was, and equal names stay equal
        let few = names(&|i| format!("q{i}"));
        assert_eq!(apart(&few, short), few);
        let equal = vec!["a name that is much too long".to_owned(); 2];
        assert_eq!(apart(&equal, short), [short(&equal[0]), short(&equal[0])]);
        // some of many
        let mut mixed = long.clone();
        mixed.push("over 60".to_owned());
        assert_eq!(apart(&mixed, short), ["…0…", "…1…", "…2…", "over 60"]);
        assert_eq!(apart(&[], short), Vec::<String>::new());
    }
}
