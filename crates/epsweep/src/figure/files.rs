//! The files of pictures: SVG, PNG, PDF and the plotted numbers.

use super::{Drawing, FigureError, render, svg};
use crate::record::{ResolvedFigure, Run};
use std::collections::BTreeSet;

/// File formats of a figure. The CSV file is always written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// SVG
    pub svg: bool,
    /// PNG
    pub png: bool,
    /// PDF
    pub pdf: bool,
}

impl Default for Formats {
    fn default() -> Self {
        Formats {
            svg: true,
            png: true,
            pdf: true,
        }
    }
}

/// A figure with its files.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// file name without folder and ending
    pub name: String,
    /// kind
    pub kind: String,
    /// what stands above it
    pub title: String,
    /// what is shown, how many trials, which seed, what intervals mean: it stands in the picture
    pub caption: String,
    /// what is said beside the picture only
    pub explanation: String,
    /// the picture, for reports
    pub svg: String,
    /// its width in print
    pub width_mm: f64,
    /// names within the run directory (`figures/NAME.svg`) and contents
    pub files: Vec<(String, Vec<u8>)>,
    /// what could not be shown
    pub warnings: Vec<String>,
}

/// What is drawn, on its way to files.
pub(crate) struct Sketch {
    /// what is drawn
    pub drawing: Drawing,
    /// file name without folder and ending
    pub name: String,
    /// kind
    pub kind: String,
    /// contents of font files for characters that the built-in font lacks
    pub fonts: Vec<Vec<u8>>,
}

/// The files of pictures.
pub(crate) fn finish_all(
    drawings: impl IntoIterator<Item = Result<Sketch, FigureError>>,
    formats: Formats,
) -> Result<Vec<Drawn>, FigureError> {
    let mut all: Vec<Drawn> = Vec::new();
    let mut missing = BTreeSet::new();
    for sketch in drawings {
        let (drawn, lacking) = finish(sketch?, formats)?;
        missing.extend(lacking);
        all.push(drawn);
    }
    // said once, however many figures have a name in them
    if let (Some(first), false) = (all.first_mut(), missing.is_empty()) {
        let letters: Vec<String> = missing.iter().map(char::to_string).collect();
        first.warnings.push(format!(
            "figures: no font of this system has these characters: {}; install one that has (for Chinese, Noto Sans CJK) \
             and make the figures again with `epsweep report`, or name its file by `fonts` of the figure",
            letters.join(" ")
        ));
    }
    Ok(all)
}

/// The files of a picture, and the characters for which there was no font.
fn finish(sketch: Sketch, formats: Formats) -> Result<(Drawn, BTreeSet<char>), FigureError> {
    let Sketch {
        drawing,
        name,
        kind,
        fonts,
    } = sketch;
    let svg = svg::svg(&drawing.canvas, &drawing.title, &drawing.words())?;
    let picture = render::Picture::new(&svg, &fonts)?;
    let warnings: Vec<String> = drawing
        .warnings
        .iter()
        .map(|w| format!("figure `{name}`: {w}"))
        .collect();
    let width_mm = drawing.canvas.width() * 25.4 / 72.0;
    let mut files = Vec::new();
    if formats.svg {
        files.push((format!("figures/{name}.svg"), svg.clone().into_bytes()));
    }
    if formats.png {
        files.push((format!("figures/{name}.png"), picture.png()?));
    }
    if formats.pdf {
        files.push((format!("figures/{name}.pdf"), picture.pdf()?));
    }
    files.push((
        format!("figures/{name}.csv"),
        drawing
            .plotted
            .csv(&format!("{}\n{}", drawing.title, drawing.words()))
            .into_bytes(),
    ));
    let drawn = Drawn {
        name,
        kind,
        title: drawing.title,
        caption: drawing.caption,
        explanation: drawing.explanation,
        svg,
        width_mm,
        files,
        warnings,
    };
    Ok((drawn, picture.missing))
}

/// The fonts that a figure names, from the run directory.
pub(super) fn fonts(run: &Run, figure: &ResolvedFigure) -> Result<Vec<Vec<u8>>, FigureError> {
    (figure.fonts.iter())
        .map(|name| {
            std::fs::read(run.dir.join(name)).map_err(|error| FigureError::Font {
                figure: figure.name.clone(),
                font: name.clone(),
                error,
            })
        })
        .collect()
}

/// The name of a figure as a file name: nothing but letters, digits, `-` and `_`.
pub(super) fn file_name(figure: &ResolvedFigure) -> String {
    let name: String = figure
        .name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                '-'
            }
        })
        .collect();
    if name.is_empty() {
        figure
            .kind
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    } else {
        name
    }
}
