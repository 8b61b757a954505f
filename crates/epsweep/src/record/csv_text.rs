//! Tables as CSV in memory.

/// A table with named columns, as the text of a CSV file (RFC 4180, lines that end in a line feed).
#[derive(Debug)]
pub struct CsvText {
    writer: csv::Writer<Vec<u8>>,
    columns: usize,
}

impl CsvText {
    /// A table with these columns and no line yet.
    pub fn new<T: AsRef<[u8]>>(columns: impl IntoIterator<Item = T>) -> CsvText {
        let mut table = CsvText {
            // a line that lacks a field, which is a fault of ours, stays a line of its own
            writer: csv::WriterBuilder::new()
                .flexible(true)
                .from_writer(Vec::new()),
            columns: 0,
        };
        table.columns = table.write(columns);
        table
    }

    /// Adds a line with a field for each column.
    pub fn row<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) {
        let fields = self.write(fields);
        debug_assert_eq!(fields, self.columns, "fields of a line, and columns");
    }

    fn write<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) -> usize {
        let mut count = 0;
        let counted = fields.into_iter().inspect(|_| count += 1);
        // writing to memory cannot fail
        let _ = self.writer.write_record(counted);
        count
    }

    /// The text.
    pub fn text(self) -> String {
        String::from_utf8(self.writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must() {
        let mut table = CsvText::new(["cell", "value"]);
        table.row(["a=1 b=\"x, y\"", "0.5"]);
        table.row(["-", ""]);
        assert_eq!(table.text(), "cell,value\n\"a=1 b=\"\"x, y\"\"\",0.5\n-,\n");
    }

    #[test]
    #[should_panic(expected = "fields of a line, and columns")]
    fn a_line_has_a_field_for_each_column() {
        CsvText::new(["a", "b"]).row(["1"]);
    }
}
