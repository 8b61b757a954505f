//! From the one SVG to PNG and PDF, with embedded letters.

use super::FigureError;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{FontResolver, Options, Tree};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// PNG pixels per CSS pixel (1/96 inch).
const SCALE: f32 = 2.0;
/// What usvg takes a millimetre for: 96 pixels in an inch.
const DPI: f32 = 96.0;

/// An SVG that was parsed, with the characters for which no font was found.
pub struct Picture {
    tree: Tree,
    /// characters that neither the embedded font nor any of the system has
    pub missing: BTreeSet<char>,
}

impl Picture {
    /// Parses an SVG. The system's fonts are looked at only if the embedded one lacks a character, so that pictures without
    /// such characters are the same bytes everywhere.
    pub fn new(svg: &str) -> Result<Picture, FigureError> {
        let missing = Arc::new(Mutex::new(BTreeSet::new()));
        let noted = Arc::clone(&missing);
        let fallback = FontResolver::default_fallback_selector();
        let mut options = Options {
            font_family: "DejaVu Sans".to_owned(),
            ..Options::default()
        };
        {
            let fonts = options.fontdb_mut();
            fonts.load_font_data(dejavu::sans::regular().to_vec());
            fonts.load_font_data(dejavu::sans::bold().to_vec());
            for set in [
                resvg::usvg::fontdb::Database::set_sans_serif_family::<&str>,
                resvg::usvg::fontdb::Database::set_serif_family::<&str>,
            ] {
                set(fonts, "DejaVu Sans");
            }
        }
        let embedded = options.fontdb.len();
        options.font_resolver.select_fallback = Box::new(move |c, used, fonts| {
            if fonts.len() <= embedded {
                Arc::make_mut(fonts).load_system_fonts();
            }
            let found = fallback(c, used, fonts);
            if found.is_none() && !c.is_whitespace() {
                noted
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(c);
            }
            found
        });
        let tree = Tree::from_str(svg, &options).map_err(|e| FigureError::Svg(e.to_string()))?;
        // of a run of letters the parser asks for the first missing one only: ask for the others
        let first = options.fontdb.faces().next().map(|face| face.id);
        if let Some(face) = first
            && !missing
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_empty()
        {
            let letters: BTreeSet<char> = svg.chars().filter(|c| !c.is_ascii()).collect();
            for letter in letters {
                (options.font_resolver.select_fallback)(letter, &[face], &mut options.fontdb);
            }
        }
        let missing = missing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Ok(Picture { tree, missing })
    }

    /// PNG at twice the size of a screen of 96 dots per inch.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        let size = self.tree.size();
        let (width, height) = (
            (size.width() * SCALE).ceil() as u32,
            (size.height() * SCALE).ceil() as u32,
        );
        let mut pixels = Pixmap::new(width, height).ok_or_else(|| {
            FigureError::Png(format!("{width} × {height} pixels are none or too many"))
        })?;
        // the picture may end within the last pixels
        pixels.fill(Color::WHITE);
        resvg::render(
            &self.tree,
            Transform::from_scale(SCALE, SCALE),
            &mut pixels.as_mut(),
        );
        // the page is white and opaque, so the fourth channel says nothing
        let colours: Vec<u8> = (pixels.data().chunks_exact(4))
            .flat_map(|pixel| pixel[..3].iter().copied())
            .collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Best);
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(&colours)?;
                writer.finish()
            })
            .map_err(|e| FigureError::Png(e.to_string()))?;
        Ok(bytes)
    }

    /// PDF of the page's size in print.
    pub fn pdf(&self) -> Result<Vec<u8>, FigureError> {
        let page = svg2pdf::PageOptions { dpi: DPI };
        svg2pdf::to_pdf(&self.tree, svg2pdf::ConversionOptions::default(), page)
            .map_err(|e| FigureError::Pdf(e.to_string()))
    }
}
