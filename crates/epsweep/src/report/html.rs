//! The report as one HTML file that needs nothing else: style and script are in it, and its own policy forbids every request.
//! Without the script it is complete, too: sorting, filtering, enlarging and the switch of colours are what the script adds.

use super::document::{Block, Cell, Document, Table, Tone, spans};
use crate::figure::Drawn;
use crate::figure::svg::escape;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Nothing is fetched, whatever a text in the report contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Letters up to which an entry of a table of some words is not broken into lines, and those words.
const WHOLE: usize = 24;
const SHORT: usize = 8;

/// Where a figure is looked at alone; the script fills and opens it.
const VIEWER: &str = "<dialog id=\"viewer\" aria-label=\"figure\">\n<div class=\"picture\"></div>\n<p></p>\n<div class=\"buttons\">\
    <button type=\"button\" data-step=\"-1\">Previous</button> <button type=\"button\" data-step=\"1\">Next</button> \
    <button type=\"button\" data-close>Close</button></div>\n</dialog>\n";

/// Writes the document down.
pub fn html(document: &Document, drawn: &[Drawn]) -> String {
    let mut out = String::new();
    let title = escape(&document.title);
    out.push_str(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n<button type=\"button\" id=\"theme\" hidden>Dark colours</button>\n<h1>{title}</h1>\n"
    ));
    if !document.question.is_empty() {
        out.push_str(&format!(
            "<p class=\"question\">{}</p>\n",
            coded(&document.question)
        ));
    }
    if !document.answer.is_empty() {
        out.push_str(&format!(
            "<p class=\"answer\">{}</p>\n",
            coded(&document.answer)
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
        // figures that follow each other can be shown as a gallery
        for group in section.blocks.chunk_by(|a, b| is_figure(a) && is_figure(b)) {
            let figures = is_figure(&group[0]);
            if figures {
                out.push_str("<div class=\"figures\">\n");
            }
            for block in group {
                put(&mut out, block, drawn, &section.title);
            }
            if figures {
                out.push_str("</div>\n");
            }
        }
        out.push_str("</section>\n");
    }
    out.push_str(&format!(
        "</main>\n{VIEWER}<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ));
    out
}

fn is_figure(block: &Block) -> bool {
    matches!(block, Block::Figure(_))
}

fn put(out: &mut String, block: &Block, drawn: &[Drawn], section: &str) {
    match block {
        Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", coded(text))),
        Block::List(points) => {
            out.push_str("<ul>\n");
            for point in points {
                out.push_str(&format!("<li>{}</li>\n", coded(point)));
            }
            out.push_str("</ul>\n");
        }
        Block::Code(text) => out.push_str(&format!("<pre><code>{}</code></pre>\n", escape(text))),
        Block::Table(table) => put_table(out, table, section),
        Block::Figure(index) => {
            if let Some(figure) = drawn.get(*index) {
                // on a screen, letters may be larger than in print; title and caption stand in the picture, and again where it is too small for them
                out.push_str(&format!(
                    "<figure>\n<div class=\"picture\" style=\"max-width:{:.0}mm\">\n{}</div>\n<figcaption><span class=\"again\">{}. {} </span>{} The plotted numbers are in figures/{}.csv.</figcaption>\n</figure>\n",
                    1.35 * figure.width_mm,
                    figure.svg,
                    escape(&figure.title),
                    escape(&figure.caption),
                    escape(&figure.explanation),
                    escape(&figure.name)
                ));
            }
        }
    }
}

/// A sentence: names between backticks as code, and no line broken within a number and its error.
fn coded(text: &str) -> String {
    let set = |(part, code): (&str, bool)| match code {
        true => format!("<code>{}</code>", escape(part)),
        false => escape(part).replace(" ± ", "\u{a0}±\u{a0}"),
    };
    spans(text).into_iter().map(set).collect()
}

fn put_table(out: &mut String, table: &Table, section: &str) {
    // what can be scrolled must be reachable by keyboard, and have a name
    out.push_str(&format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n",
        escape(if table.title.is_empty() {
            section
        } else {
            &table.title
        })
    ));
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
    let mut text = escape(&cell.text);
    // names stay whole, sentences are broken
    if (2..=SHORT).contains(&cell.text.split(' ').count()) && cell.text.chars().count() <= WHOLE {
        text = format!("<span class=\"whole\">{text}</span>");
    }
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
