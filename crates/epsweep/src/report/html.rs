//! The report as one HTML file that needs nothing else: no scripts, no requests.

use super::document::{Block, Cell, Document, Table, Tone};
use crate::figure::Drawn;
use crate::figure::svg::escape;

const STYLE: &str = include_str!("style.css");

/// Writes the document down.
pub fn html(document: &Document, drawn: &[Drawn]) -> String {
    let mut out = String::new();
    let title = escape(&document.title);
    out.push_str(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{title}</h1>\n"
    ));
    if !document.question.is_empty() {
        out.push_str(&format!(
            "<p class=\"question\">{}</p>\n",
            escape(&document.question)
        ));
    }
    if !document.answer.is_empty() {
        out.push_str(&format!(
            "<p class=\"answer\">{}</p>\n",
            escape(&document.answer)
        ));
    }
    out.push_str("</header>\n<nav aria-label=\"Contents\"><ul>\n");
    for (i, section) in document.sections.iter().enumerate() {
        out.push_str(&format!(
            "<li><a href=\"#section-{i}\">{}</a></li>\n",
            escape(&section.title)
        ));
    }
    out.push_str("</ul></nav>\n");
    for (i, section) in document.sections.iter().enumerate() {
        out.push_str(&format!(
            "<section id=\"section-{i}\">\n<h2>{}</h2>\n",
            escape(&section.title)
        ));
        for block in &section.blocks {
            put(&mut out, block, drawn);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn put(out: &mut String, block: &Block, drawn: &[Drawn]) {
    match block {
        Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", escape(text))),
        Block::List(points) => {
            out.push_str("<ul>\n");
            for point in points {
                out.push_str(&format!("<li>{}</li>\n", escape(point)));
            }
            out.push_str("</ul>\n");
        }
        Block::Code(text) => out.push_str(&format!("<pre><code>{}</code></pre>\n", escape(text))),
        Block::Table(table) => put_table(out, table),
        Block::Figure(index) => {
            if let Some(figure) = drawn.get(*index) {
                // on a screen, letters may be larger than in print
                out.push_str(&format!(
                    "<figure>\n<div class=\"picture\" style=\"max-width:{:.0}mm\">\n{}</div>\n<figcaption>{}. {} The plotted numbers are in figures/{}.csv.</figcaption>\n</figure>\n",
                    1.35 * figure.width_mm,
                    figure.svg,
                    escape(&figure.title),
                    escape(&figure.caption),
                    escape(&figure.name)
                ));
            }
        }
    }
}

fn put_table(out: &mut String, table: &Table) {
    out.push_str("<div class=\"scroll\">\n<table>\n");
    if !table.title.is_empty() {
        out.push_str(&format!("<caption>{}</caption>\n", escape(&table.title)));
    }
    out.push_str("<thead><tr>");
    let class = |number: bool| if number { " class=\"number\"" } else { "" };
    for column in &table.header {
        out.push_str(&format!(
            "<th scope=\"col\"{}>{}</th>",
            class(column.number),
            escape(&column.name)
        ));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.header) {
            out.push_str(&format!(
                "<td{}>{}</td>",
                class(column.number),
                marked(cell)
            ));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if !table.note.is_empty() {
        out.push_str(&format!("<p class=\"note\">{}</p>\n", escape(&table.note)));
    }
}

fn marked(cell: &Cell) -> String {
    let text = escape(&cell.text);
    let class = match cell.tone {
        Tone::Plain => None,
        Tone::Holds => Some("holds"),
        Tone::Refuted => Some("refuted"),
        Tone::Undecided => Some("undecided"),
        Tone::Alarm => Some("alarm"),
    };
    let mut marked = class.map_or_else(
        || text.clone(),
        |class| format!("<span class=\"badge {class}\">{text}</span>"),
    );
    if !cell.note.is_empty() {
        marked.push_str(&format!(" <small>{}</small>", escape(&cell.note)));
    }
    marked
}
