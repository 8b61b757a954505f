//! Why a figure could not be drawn.

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// no such kind
    #[error("figure `{figure}`: there is no kind `{kind}`; the kinds are: {known}")]
    Kind {
        /// its name
        figure: String,
        /// what was asked for
        kind: String,
        /// what there is
        known: String,
    },
    /// no such size
    #[error("there is no size `{0}`; the sizes are: one-column, two-columns, slide")]
    Size(String),
    /// no such language
    #[error("there is no language `{0}`; the languages are: en, de, fr, zh")]
    Language(String),
    /// no such scale
    #[error("figure `{figure}`: there is no scale `{scale}`; the scales are: linear, log")]
    Scale {
        /// its name
        figure: String,
        /// what was asked for
        scale: String,
    },
    /// the run has no such measure
    #[error(
        "figure `{figure}`: the run has no measure `{measure}` in these cells; it has: {known}"
    )]
    Measure {
        /// its name
        figure: String,
        /// what was asked for
        measure: String,
        /// what there is
        known: String,
    },
    /// the cells do not suit
    #[error("figure `{figure}`: {reason}")]
    Cells {
        /// its name
        figure: String,
        /// why
        reason: String,
    },
    /// nothing to draw against
    #[error(
        "figure `{0}`: it is drawn against an axis with at least two numbers, which its cells do not have; sweep over such an axis, leave more of it in `cells`, or choose the kind `bars`"
    )]
    NoNumericAxis(String),
    /// a font of the run is gone
    #[error("figure `{figure}`: its font `{font}` cannot be read from the run directory: {error}")]
    Font {
        /// its name
        figure: String,
        /// the file
        font: String,
        /// why
        error: std::io::Error,
    },
    /// plotters failed
    #[error("the picture could not be drawn: {0}")]
    Draw(String),
    /// the SVG could not be read back
    #[error("the SVG could not be read: {0}")]
    Svg(String),
    /// no PNG
    #[error("the PNG could not be made: {0}")]
    Png(String),
    /// no PDF
    #[error("the PDF could not be made: {0}")]
    Pdf(String),
}
