//! Rows of cells that are finished in any order, kept on the disk until the file of all of them can be written.

use super::tables::{self, Table};
use super::{ComparisonRow, HistogramRow, RecordError, SummaryRow, names};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Ending of a spool's name.
const SPOOL: &str = ".spool";

/// Pieces of a file, one for each cell, in the order in which they come. Sixteen bytes of memory each.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
    end: u64,
    /// where the piece of a cell begins, and its length
    places: Vec<(u64, u64)>,
}

impl Spool {
    /// For pieces of `cells` cells, in a directory that nobody else writes to. What an earlier process left is removed.
    ///
    /// # Errors
    /// No file can be made there.
    pub(super) fn new(dir: &Path, name: &str, cells: usize) -> Result<Spool, RecordError> {
        let path = dir.join(format!(".{name}{SPOOL}"));
        let file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(RecordError::io("write", &path))?;
        // where a file can lose its name while it is open, nothing of it stays, however the process ends
        let _ = fs::remove_file(&path);
        Ok(Spool {
            path,
            file: BufWriter::with_capacity(1 << 16, file),
            end: 0,
            places: vec![(0, 0); cells],
        })
    }

    /// Adds the piece of a cell.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&mut self, cell: usize, piece: &[u8]) -> Result<(), RecordError> {
        (self.file.write_all(piece)).map_err(RecordError::io("write", &self.path))?;
        self.places[cell] = (self.end, piece.len() as u64);
        self.end += piece.len() as u64;
        Ok(())
    }

    /// Writes all pieces in the order of the cells.
    ///
    /// # Errors
    /// A piece cannot be read back, or `out` fails.
    pub(super) fn copy(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        let (mut buffer, mut start) = (Vec::new(), 0);
        while start < self.places.len() {
            // pieces that lie one behind another are read together
            let (at, mut len) = self.places[start];
            let mut next = start + 1;
            while len < 1 << 20
                && self
                    .places
                    .get(next)
                    .is_some_and(|(place, _)| *place == at + len)
            {
                len += self.places[next].1;
                next += 1;
            }
            buffer.resize(len as usize, 0);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut buffer)?;
            out.write_all(&buffer)?;
            start = next;
        }
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // only where it could not be removed while it was open
        let _ = fs::remove_file(&self.path);
    }
}

/// The rows of a run in the making: those of each cell are written as they are made, and nothing of them is kept in memory.
#[derive(Debug)]
pub struct Spools {
    axes: Vec<String>,
    /// the axes that the comparisons show, as far as is known beforehand
    shown: Vec<usize>,
    /// of each axis, whether a comparison has shown a label
    labelled: Vec<bool>,
    compared: bool,
    summary: Spool,
    comparisons: Spool,
    histograms: Spool,
}

/// A cell's rows in the form of its files.
#[derive(Debug)]
pub struct Pieces {
    summary: Vec<u8>,
    histograms: Vec<u8>,
}

impl Pieces {
    /// Of these rows of one cell.
    ///
    /// # Errors
    /// A row cannot be written, which is a bug.
    pub fn new(
        summary: &[SummaryRow],
        histograms: &[HistogramRow],
        axes: usize,
    ) -> Result<Pieces, RecordError> {
        let all: Vec<usize> = (0..axes).collect();
        Ok(Pieces {
            summary: piece(summary, &all)?,
            histograms: piece(histograms, &all)?,
        })
    }
}

fn piece<R: Table>(rows: &[R], shown: &[usize]) -> Result<Vec<u8>, RecordError> {
    tables::body(rows, shown).map_err(unwritable)
}

fn unwritable(error: csv::Error) -> RecordError {
    RecordError::Unwritable {
        what: "a table",
        reason: error.to_string(),
    }
}

impl Spools {
    /// In a run directory, for so many cells of an experiment with these axes; comparisons will show the axes numbered `shown`.
    ///
    /// # Errors
    /// No file can be made there.
    pub(super) fn new(
        dir: &Path,
        axes: Vec<String>,
        shown: Vec<usize>,
        cells: usize,
    ) -> Result<Spools, RecordError> {
        Ok(Spools {
            labelled: vec![false; axes.len()],
            axes,
            shown,
            compared: false,
            summary: Spool::new(dir, names::SUMMARY, cells)?,
            comparisons: Spool::new(dir, names::COMPARISONS, cells)?,
            histograms: Spool::new(dir, names::HISTOGRAMS, cells)?,
        })
    }

    /// Adds the rows of a cell.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn put(&mut self, cell: usize, pieces: &Pieces) -> Result<(), RecordError> {
        self.summary.put(cell, &pieces.summary)?;
        self.histograms.put(cell, &pieces.histograms)
    }

    /// Adds the comparisons of a cell with others.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn compare(&mut self, cell: usize, rows: &[ComparisonRow]) -> Result<(), RecordError> {
        self.compared |= !rows.is_empty();
        for row in rows {
            for (labelled, label) in self.labelled.iter_mut().zip(&row.axes) {
                *labelled |= !label.is_empty();
            }
        }
        let piece = piece(rows, &self.shown)?;
        self.comparisons.put(cell, &piece)
    }

    /// Writes `summary.csv`.
    pub(super) fn write_summary(&mut self, out: &mut dyn Write) -> io::Result<()> {
        whole::<SummaryRow>(&mut self.summary, &self.axes, out)
    }

    /// Writes `histograms.csv`.
    pub(super) fn write_histograms(&mut self, out: &mut dyn Write) -> io::Result<()> {
        whole::<HistogramRow>(&mut self.histograms, &self.axes, out)
    }

    /// Writes `comparisons.csv`.
    pub(super) fn write_comparisons(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // which axes are shown follows from the rows, and those of undefined differences are missing
        let shown: Vec<usize> = (0..self.axes.len())
            .filter(|axis| !self.compared || self.labelled[*axis])
            .collect();
        let header = |shown| tables::header::<ComparisonRow>(&self.axes, shown);
        if !self.compared || shown == self.shown {
            out.write_all(&header(&shown).map_err(io::Error::other)?)?;
            return self.comparisons.copy(out);
        }
        let mut text = header(&self.shown).map_err(io::Error::other)?;
        self.comparisons.copy(&mut text)?;
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        let path = Path::new(names::COMPARISONS);
        let rows: Vec<ComparisonRow> =
            tables::parse(path, &text, &self.axes).map_err(io::Error::other)?;
        out.write_all(&tables::write(&rows, &self.axes).map_err(io::Error::other)?)
    }
}

fn whole<R: Table>(spool: &mut Spool, axes: &[String], out: &mut dyn Write) -> io::Result<()> {
    let all: Vec<usize> = (0..axes.len()).collect();
    out.write_all(&tables::header::<R>(axes, &all).map_err(io::Error::other)?)?;
    spool.copy(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_out_in_the_order_of_the_cells() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(dir.path(), "summary.csv", 1000).unwrap();
        let piece = |cell: usize| format!("{cell};").repeat(cell % 7);
        // 333 and 1000 are coprime: every cell once; some pieces are empty
        for i in 0..1000 {
            let cell = i * 333 % 1000;
            spool.put(cell, piece(cell).as_bytes()).unwrap();
        }
        let mut out = Vec::new();
        spool.copy(&mut out).unwrap();
        let wanted: String = (0..1000).map(piece).collect();
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
        drop(spool);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
