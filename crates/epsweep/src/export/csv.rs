//! Comma-separated values: the files of a run, but only the rows that are chosen; and trials for programs that read no Parquet.

use super::{ExportError, Format, Sheet, Values, Writer};
use crate::record::optional;
use std::io::Write;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "comma-separated values, raw numbers",
    ending: "csv",
    write: Writer::Text(write),
};

fn write(sheet: &Sheet<'_>, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut writer = csv::Writer::from_writer(out);
    let heads = sheet.columns.iter().map(|column| &column.name);
    writer.write_record(heads).map_err(unwritable)?;
    sheet.each(&mut |batch| {
        let rows = batch.first().map_or(0, Values::len);
        for row in 0..rows {
            for values in batch {
                let done = match values {
                    Values::Text(values) => {
                        writer.write_field(values[row].as_deref().unwrap_or(""))
                    }
                    Values::Count(values) => writer.write_field(values[row].to_string()),
                    Values::Real(values) => writer.write_field(optional(values[row])),
                };
                done.map_err(unwritable)?;
            }
            writer.write_record(None::<&[u8]>).map_err(unwritable)?;
        }
        Ok(())
    })?;
    writer.flush()?;
    Ok(())
}

fn unwritable(error: csv::Error) -> ExportError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ExportError::Io(error),
        other => ExportError::Io(std::io::Error::other(format!("{other:?}"))),
    }
}
