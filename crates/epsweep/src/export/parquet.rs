//! Apache Parquet: typed columns, with what they mean in the file's metadata. The same bytes for the same rows.

use super::{Column, ExportError, Format, Sheet, Values, Writer};
use crate::record::Kind;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::io::Write;
use std::sync::Arc;

pub(super) const FORMAT: Format = Format {
    name: "parquet",
    about: "typed columns with their meaning, for pandas, polars, R, DuckDB",
    ending: "parquet",
    write: Writer::Binary(write),
};

/// What the names of the facts begin with: others put theirs into the same place.
const PREFIX: &str = "epsweep.";

fn write(sheet: &Sheet<'_>, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut facts: Vec<KeyValue> = (sheet.facts.iter())
        .map(|(name, value)| KeyValue::new(format!("{PREFIX}{name}"), value.clone()))
        .collect();
    let about = |column: &Column| serde_json::json!({ "name": column.name, "about": column.about });
    let columns: Vec<serde_json::Value> = sheet.columns.iter().map(about).collect();
    facts.push(KeyValue::new(
        format!("{PREFIX}columns"),
        serde_json::json!(columns).to_string(),
    ));
    let mut properties = WriterProperties::builder()
        .set_key_value_metadata(Some(facts))
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in &sheet.columns {
        let path = ColumnPath::from(column.name.as_str());
        match column.kind {
            // words repeat, doubles hardly ever do
            Kind::Text => {}
            Kind::Real => properties = properties.set_column_dictionary_enabled(path, false),
            Kind::Count => {
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
        }
    }
    let mut writer = SerializedFileWriter::new(out, schema(sheet)?, Arc::new(properties.build()))
        .map_err(unwritable)?;
    sheet.each(&mut |batch| {
        let mut group = writer.next_row_group().map_err(unwritable)?;
        for values in batch {
            // there are as many columns as the schema has
            if let Some(mut column) = group.next_column().map_err(unwritable)? {
                put(&mut column, values).map_err(unwritable)?;
                column.close().map_err(unwritable)?;
            }
        }
        group.close().map_err(unwritable)?;
        Ok(())
    })?;
    writer.close().map_err(unwritable)?;
    Ok(())
}

fn schema(sheet: &Sheet<'_>) -> Result<TypePtr, ExportError> {
    let field = |column: &Column| {
        let (physical, repetition, logical) = match column.kind {
            Kind::Text => (
                Physical::BYTE_ARRAY,
                Repetition::OPTIONAL,
                Some(LogicalType::String),
            ),
            Kind::Count => (Physical::INT64, Repetition::REQUIRED, None),
            Kind::Real => (Physical::DOUBLE, Repetition::OPTIONAL, None),
        };
        Type::primitive_type_builder(&column.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let fields: Result<Vec<TypePtr>, ParquetError> = sheet.columns.iter().map(field).collect();
    Type::group_type_builder("schema")
        .with_fields(fields.map_err(unwritable)?)
        .build()
        .map(Arc::new)
        .map_err(unwritable)
}

fn put(column: &mut SerializedColumnWriter<'_>, values: &Values) -> Result<(), ParquetError> {
    match values {
        Values::Count(values) => {
            let values: Vec<i64> = values.iter().map(|value| *value as i64).collect();
            let column = column.typed::<Int64Type>();
            column.write_batch(&values, None, None)?;
        }
        Values::Real(values) => {
            // undefined is null: readers would take NaN for a number
            let defined = |value: &Option<f64>| value.filter(|number| !number.is_nan());
            let values: Vec<Option<f64>> = values.iter().map(defined).collect();
            let there: Vec<f64> = values.iter().flatten().copied().collect();
            let column = column.typed::<DoubleType>();
            column.write_batch(&there, Some(&levels(&values)), None)?;
        }
        Values::Text(values) => {
            let mut there: Vec<ByteArray> = Vec::with_capacity(values.len());
            let mut last: Option<&str> = None;
            for text in values.iter().flatten() {
                // neighbours are mostly equal, and then share their bytes
                match there.last().filter(|_| last == Some(text)) {
                    Some(same) => there.push(same.clone()),
                    None => there.push(ByteArray::from(text.as_str())),
                }
                last = Some(text);
            }
            let column = column.typed::<ByteArrayType>();
            column.write_batch(&there, Some(&levels(values)), None)?;
        }
    }
    Ok(())
}

/// Which values are there.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|v| i16::from(v.is_some())).collect()
}

fn unwritable(error: ParquetError) -> ExportError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => ExportError::Io(*error),
            Err(other) => ExportError::Io(std::io::Error::other(other)),
        },
        other => ExportError::Io(std::io::Error::other(other)),
    }
}
