//! The same PDF each time. The converter numbers fonts, and lists the resources of a page, in the order of a hash map that is another in every
//! process: here the objects are put into the order in which they are reached from the root, and numbered by it.

use std::collections::{BTreeMap, HashMap};

/// An object as it stands in the file: what is before its stream, and from there on.
struct Object {
    head: String,
    stream: Vec<u8>,
}

/// The same document, with its objects in the order in which they are reached from the root, and entries that refer to objects by their names.
/// `None` where it is not written as the converter of this version writes.
pub fn in_order(pdf: &[u8]) -> Option<Vec<u8>> {
    let (objects, trailer) = read(pdf)?;
    let mut numbers = HashMap::new();
    let mut order = Vec::new();
    let mut next: Vec<u32> = references(&trailer).collect();
    next.reverse();
    while let Some(number) = next.pop() {
        if numbers.contains_key(&number) {
            continue;
        }
        order.push(objects.get(&number)?);
        numbers.insert(number, order.len());
        let mut found: Vec<u32> = references(&order[order.len() - 1].head).collect();
        // the first to be reached lies on top
        found.reverse();
        next.append(&mut found);
    }
    let mut out = b"%PDF-1.7\n%\x80\x80\x80\x80\n\n".to_vec();
    let mut places = Vec::new();
    for (place, object) in order.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n", place + 1).bytes());
        out.extend(renumbered(&object.head, &numbers).bytes());
        out.extend(&object.stream);
        out.extend(b"endobj\n\n");
    }
    let table = out.len();
    let size = order.len() + 1;
    out.extend(format!("xref\n0 {size}\n0000000000 65535 f\r\n").bytes());
    for place in places {
        out.extend(format!("{place:010} 00000 n\r\n").bytes());
    }
    let trailer = renumbered(&trailer, &numbers);
    out.extend(
        format!("trailer\n<<\n  /Size {size}\n{trailer}>>\nstartxref\n{table}\n%%EOF").bytes(),
    );
    Some(out)
}

/// The objects by their numbers, and what of the trailer refers to them.
fn read(pdf: &[u8]) -> Option<(BTreeMap<u32, Object>, String)> {
    let mut objects = BTreeMap::new();
    let mut at = find(pdf, b" 0 obj\n", 0)?;
    // back to the start of the first object's line
    at = pdf[..at].iter().rposition(|byte| *byte == b'\n')? + 1;
    while !pdf[at..].starts_with(b"xref") {
        let opened = find(pdf, b" 0 obj\n", at)?;
        let number = std::str::from_utf8(&pdf[at..opened]).ok()?.parse().ok()?;
        let start = opened + b" 0 obj\n".len();
        let end = find(pdf, b"endobj\n", start)?;
        let stream = find(pdf, b"stream\n", start).filter(|stream| *stream < end);
        let head = std::str::from_utf8(&pdf[start..stream.unwrap_or(end)]).ok()?;
        let end = match stream {
            // bytes of a stream may look like anything: its length says where it ends
            Some(stream) => {
                let (_, length) = head.split_once("/Length ")?;
                let length: usize = length.split_whitespace().next()?.parse().ok()?;
                find(pdf, b"endobj\n", stream + b"stream\n".len() + length)?
            }
            None => end,
        };
        let object = Object {
            head: sorted(head),
            stream: stream.map_or_else(Vec::new, |stream| pdf[stream..end].to_vec()),
        };
        objects.insert(number, object);
        at = end + b"endobj\n".len();
        at += pdf[at..].iter().position(|byte| *byte != b'\n')?;
    }
    let trailer = std::str::from_utf8(&pdf[find(pdf, b"trailer", at)?..]).ok()?;
    let refers = trailer.split_inclusive('\n').filter(refers);
    let trailer = refers.collect::<String>();
    trailer.contains("/Root ").then_some((objects, trailer))
}

fn find(bytes: &[u8], what: &[u8], from: usize) -> Option<usize> {
    let found = bytes.get(from..)?.windows(what.len());
    found.into_iter().position(|w| w == what).map(|i| from + i)
}

/// Neighbouring entries that refer to objects, by their names: the order of a dictionary's entries means nothing.
fn sorted(head: &str) -> String {
    let mut lines: Vec<&str> = head.split_inclusive('\n').collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    for run in lines.chunk_by_mut(|a, b| refers(a) && refers(b) && indent(a) == indent(b)) {
        run.sort_unstable_by_key(|line| line.split_whitespace().next());
    }
    lines.concat()
}

/// Whether a line is an entry that refers to an object.
fn refers(line: &&str) -> bool {
    line.trim_start().starts_with('/') && line.ends_with(" 0 R\n")
}

/// Where in a text objects are referred to (`12 0 R`), with their numbers.
fn places(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, u32)> + '_ {
    text.match_indices(" 0 R").filter_map(|(end, _)| {
        let digits = text[..end].bytes().rev();
        let start = end - digits.take_while(u8::is_ascii_digit).count();
        Some((start..end, text[start..end].parse().ok()?))
    })
}

fn references(text: &str) -> impl Iterator<Item = u32> + '_ {
    places(text).map(|(_, number)| number)
}

fn renumbered(text: &str, numbers: &HashMap<u32, usize>) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (place, number) in places(text) {
        out += &text[done..place.start];
        out += &numbers.get(&number).map_or(0, |n| *n).to_string();
        done = place.end;
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader finds: every object with what it refers to, by place in the order of reaching.
    fn document(order: [u32; 3], fonts: [&str; 2]) -> Vec<u8> {
        let [page, a, b] = order;
        let object = |number: u32| match number {
            n if n == page => format!(
                "{page} 0 obj\n<<\n  /Length 21\n  /Font <<\n    {}\n    {}\n  >>\n>>\nstream\n5 0 R\nendobj\nendobj\n9\nendstream\nendobj\n\n",
                fonts[0], fonts[1]
            ),
            n if n == a => format!("{a} 0 obj\n<<\n  /Name /A\n>>\nendobj\n\n"),
            n if n == b => format!("{b} 0 obj\n<<\n  /Name /B\n>>\nendobj\n\n"),
            n => format!("{n} 0 obj\n<<\n  /Pages {page} 0 R\n>>\nendobj\n\n"),
        };
        let mut text = "%PDF-1.7\n%....\n\n".to_owned();
        text.extend((1..=4).map(object));
        text += "xref\n0 5\ntrailer\n<<\n  /Size 5\n  /Root 4 0 R\n>>\nstartxref\n0\n%%EOF";
        text.into_bytes()
    }

    #[test]
    fn numbers_and_order_of_the_converter_do_not_show() {
        let one = in_order(&document([1, 2, 3], ["/f0 2 0 R", "/f1 3 0 R"])).expect("read");
        let other = in_order(&document([3, 2, 1], ["/f1 1 0 R", "/f0 2 0 R"])).expect("read");
        assert_eq!(
            String::from_utf8_lossy(&one),
            String::from_utf8_lossy(&other)
        );
        // another document is another one
        let swapped = in_order(&document([1, 2, 3], ["/f1 2 0 R", "/f0 3 0 R"])).expect("read");
        assert_ne!(one, swapped);
        // and it is in order already
        assert_eq!(in_order(&one).expect("read"), one);
    }

    #[test]
    fn the_table_says_where_objects_are() {
        let pdf = in_order(&document([1, 2, 3], ["/f0 2 0 R", "/f1 3 0 R"])).expect("read");
        let text = String::from_utf8_lossy(&pdf).replace('\u{fffd}', ".");
        let table = &text[text.find("xref\n").expect("a table")..];
        for (number, line) in (1..5).zip(table.lines().skip(3)) {
            let place: usize = line[..10].parse().expect("a number");
            let there = format!("{number} 0 obj\n");
            assert!(pdf[place..].starts_with(there.as_bytes()), "{number}");
        }
        // what looks like a reference in a stream is none
        assert!(text.contains("stream\n5 0 R\nendobj\nendobj\n9\nendstream"));
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        assert!(in_order(b"%PDF-1.7\n").is_none());
        let cut = document([1, 2, 3], ["/f0 2 0 R", "/f1 7 0 R"]);
        assert!(in_order(&cut).is_none(), "an object that is not there");
    }
}
