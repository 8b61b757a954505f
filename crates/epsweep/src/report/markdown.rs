//! The report as Markdown with the tables of GitHub.

use super::document::{Block, Document, Table, Tone, spans};
use crate::figure::Drawn;

/// Writes the short form of the document down; it links to the pictures.
pub fn markdown(document: &Document, drawn: &[Drawn]) -> String {
    let mut out = format!("# {}\n\n", escape(&document.title));
    if !document.question.is_empty() {
        out.push_str(&format!("*{}*\n\n", escape(&document.question)));
    }
    if !document.answer.is_empty() {
        out.push_str(&format!("**Answer.** {}\n\n", escape(&document.answer)));
    }
    for section in &document.sections {
        out.push_str(&format!("## {}\n\n", escape(&section.title)));
        for block in &section.blocks {
            match block {
                Block::Paragraph(text) => out.push_str(&format!("{}\n\n", escape(text))),
                Block::List(points) => {
                    for point in points {
                        out.push_str(&format!("- {}\n", escape(point)));
                    }
                    out.push('\n');
                }
                Block::Code(text) => out.push_str(&format!("```sh\n{text}\n```\n\n")),
                Block::Table(table) if table.long_only => {}
                Block::Table(table) => put_table(&mut out, table),
                Block::Figure(index) => {
                    if let Some(figure) = drawn.get(*index) {
                        let title = escape(&figure.title);
                        out.push_str(&format!(
                            "![{title}](figures/{}.png)\n\n{title}. {} {}\n\n",
                            figure.name,
                            escape(&figure.caption),
                            escape(&figure.explanation)
                        ));
                    }
                }
            }
        }
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    out.push('\n');
    out
}

/// A table by itself.
pub fn table(table: &Table) -> String {
    let mut out = String::new();
    put_table(&mut out, table);
    out
}

fn put_table(out: &mut String, table: &Table) {
    if !table.title.is_empty() {
        out.push_str(&format!("**{}**\n\n", escape(&table.title)));
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(
        table.header.iter().map(|c| escape(&c.name)).collect(),
    ));
    out.push_str(&line(
        table
            .header
            .iter()
            .map(|c| if c.number { "---:" } else { ":---" }.to_owned())
            .collect(),
    ));
    for row in &table.rows {
        let cell = |cell: &super::document::Cell| {
            let text = match cell.tone {
                Tone::Plain => escape(&cell.text),
                Tone::Alarm => format!("**⚠ {}**", escape(&cell.text)),
                _ => format!("**{}**", escape(&cell.text)),
            };
            format!("{text} {}", escape(&cell.note))
                .trim_end()
                .to_owned()
        };
        out.push_str(&line(row.iter().map(cell).collect()));
    }
    out.push('\n');
    if !table.note.is_empty() {
        out.push_str(&format!("{}\n\n", escape(&table.note)));
    }
}

/// Text with what stands between backticks set as code, and without meaning for the other characters that Markdown or HTML would give one.
fn escape(text: &str) -> String {
    let set = |(part, code): (&str, bool)| match code {
        true => format!("`{part}`"),
        false => plain(part),
    };
    spans(text).into_iter().map(set).collect()
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn marks_lose_their_meaning() {
        assert_eq!(
            escape("|error| <b> a_b & *x*\n"),
            "\\|error\\| &lt;b&gt; a\\_b &amp; \\*x\\* "
        );
        assert_eq!(escape("`a_b` is_not"), "`a_b` is\\_not");
        assert_eq!(escape("a`b and `c`"), "a\\`b and \\`c\\`");
        assert_eq!(escape("`<b>`"), "\\`&lt;b&gt;\\`");
    }
}
