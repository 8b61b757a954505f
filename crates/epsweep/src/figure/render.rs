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

/// Whether bytes are a font file with at least one face.
pub fn is_font(bytes: &[u8]) -> bool {
    let mut fonts = resvg::usvg::fontdb::Database::new();
    fonts.load_font_data(bytes.to_vec());
    !fonts.is_empty()
}

/// An SVG that was parsed, with the characters for which no font was found.
pub struct Picture {
    tree: Tree,
    /// characters that neither the embedded font nor any of the system has
    pub missing: BTreeSet<char>,
}

impl Picture {
    /// Parses an SVG. Characters that the embedded font lacks are looked for in the fonts that are given, and then in those of the system:
    /// pictures that need none of the system's are the same bytes everywhere.
    ///
    /// # Errors
    /// [`FigureError`] if it is no SVG
    pub fn new(svg: &str, given: &[Vec<u8>]) -> Result<Picture, FigureError> {
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
        for font in given {
            options.fontdb_mut().load_font_data(font.clone());
        }
        let known = options.fontdb.len();
        let some_given = !given.is_empty();
        options.font_resolver.select_fallback = Box::new(move |c, used, fonts| {
            let among_known = match some_given {
                true => fallback(c, used, fonts),
                false => None,
            };
            let found = among_known.or_else(|| {
                if fonts.len() <= known {
                    Arc::make_mut(fonts).load_system_fonts();
                }
                fallback(c, used, fonts)
            });
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
    ///
    /// # Errors
    /// [`FigureError::Png`] if it cannot be drawn at that size, or encoded
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
        let mut colours = pixels.take();
        let count = colours.len() / 4;
        // in place: a second copy of a tall page takes more memory than all that was simulated for it
        for pixel in 0..count {
            colours.copy_within(4 * pixel..4 * pixel + 3, 3 * pixel);
        }
        colours.truncate(3 * count);
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

    /// PDF of the page's size in print, the same bytes each time.
    ///
    /// # Errors
    /// [`FigureError`] if it cannot be converted
    pub fn pdf(&self) -> Result<Vec<u8>, FigureError> {
        let page = svg2pdf::PageOptions { dpi: DPI };
        let converted = svg2pdf::to_pdf(&self.tree, svg2pdf::ConversionOptions::default(), page)
            .map_err(|e| FigureError::Pdf(e.to_string()))?;
        // what another version of the converter might write is a picture as well, in bytes that need not repeat
        Ok(super::pdf::in_order(&converted).unwrap_or(converted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pdf_has_the_same_bytes_each_time() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"40\" font-family=\"DejaVu Sans\"><text x=\"2\" y=\"15\">a</text><text x=\"2\" y=\"35\" font-weight=\"bold\">b</text><rect x=\"40\" width=\"20\" height=\"20\" opacity=\"0.5\"/><rect x=\"50\" width=\"20\" height=\"20\" opacity=\"0.25\"/></svg>";
        let picture = Picture::new(svg, &[]).expect("a picture");
        let first = picture.pdf().expect("a PDF");
        // by chance the converter's own bytes would repeat eight times in one of 2⁷ runs at most: two fonts, two opacities
        for _ in 0..8 {
            assert_eq!(picture.pdf().expect("a PDF"), first);
        }
    }

    #[test]
    fn characters_come_from_a_font_that_is_given() {
        // this arrow is in the serif face alone
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><text x=\"2\" y=\"15\" font-family=\"DejaVu Sans\">\u{2900}</text></svg>";
        let serif = dejavu::serif::regular().to_vec();
        assert!(is_font(&serif) && !is_font(b"no font"));
        let picture = Picture::new(svg, &[serif]).expect("a picture");
        assert!(picture.missing.is_empty(), "{:?}", picture.missing);
        let blank = Picture::new(&svg.replace('\u{2900}', " "), &[]).expect("a picture");
        assert_ne!(picture.png().expect("png"), blank.png().expect("png"));
    }
}
