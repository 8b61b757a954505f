//! The tree of an experiment file: values that know where they stand.

use super::number;
use super::source::Span;
use std::fmt;

/// A value of the file.
#[derive(Clone, Debug)]
pub struct Value {
    /// where it stands
    pub span: Span,
    /// what it is
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// text
    Text(String),
    /// a number without point and exponent
    Integer(i128),
    /// any other number
    Real(f64),
    /// true or false
    Boolean(bool),
    /// a date or a time, which no key of an experiment takes
    Date(String),
    /// a list
    List(Vec<Value>),
    /// a table
    Table(Table),
    /// a value that has been found faulty before: reading it gives nothing and says nothing
    Faulty,
}

/// Equal if the contents are, wherever they stand.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Keys with their values, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// the entries
    pub entries: Vec<Entry>,
    /// whether it is a value of an axis, whose `name` may be its label there and nothing else
    pub labelled: bool,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// the key
    pub key: String,
    /// where the key stands
    pub key_span: Span,
    /// the value
    pub value: Value,
}

/// Equal if the contents are, wherever they stand.
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Table {
    /// With these entries.
    pub fn new(entries: Vec<Entry>) -> Table {
        Table {
            entries,
            labelled: false,
        }
    }

    /// Whether an entry may be the label of a value of an axis, and no key.
    pub fn is_label(&self, entry: &Entry) -> bool {
        self.labelled && entry.key == "name" && entry.value.as_text().is_some()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        (self.entries.iter_mut().find(|entry| entry.key == key)).map(|entry| &mut entry.value)
    }
}

impl Value {
    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.kind {
            Kind::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self.kind {
            // an integer beyond 2^53 is rounded to the nearest f64, as the same digits with a point would be
            Kind::Integer(whole) => Some(whole as f64),
            Kind::Real(real) => Some(real),
            _ => None,
        }
    }

    /// What kind of value it is, with its article.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Text(_) => "a text",
            Kind::Integer(_) => "a whole number",
            Kind::Real(_) => "a real number",
            Kind::Boolean(_) => "true or false",
            Kind::Date(_) => "a date",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Faulty => "nothing",
        }
    }

    /// The shortest text that names the value on an axis: a text as it is, a number as [`number::label`], a table by its `name` or else
    /// in TOML.
    pub fn label(&self) -> String {
        match &self.kind {
            Kind::Text(text) => text.clone(),
            Kind::Table(table) => match table.get("name").and_then(Value::as_text) {
                Some(name) => name.to_owned(),
                None => self.to_string(),
            },
            _ => self.to_string(),
        }
    }
}

/// Canonical TOML on one line: the same for equal values, however they are written.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Text(text) => write!(f, "{}", quoted(text)),
            Kind::Integer(whole) if whole.unsigned_abs() > 1 << 53 => write!(f, "{whole}"),
            Kind::Integer(whole) => write!(f, "{}", number::label(*whole as f64)),
            Kind::Real(real) => write!(f, "{}", number::label(*real)),
            Kind::Boolean(flag) => write!(f, "{flag}"),
            Kind::Date(text) => write!(f, "{text}"),
            Kind::List(list) => {
                write!(f, "[")?;
                for (i, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                write!(f, "]")
            }
            Kind::Table(table) => {
                write!(f, "{{")?;
                for (i, entry) in table.entries.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(
                        f,
                        "{comma} {} = {}",
                        bare_or_quoted(&entry.key),
                        entry.value
                    )?;
                }
                write!(f, " }}")
            }
            Kind::Faulty => write!(f, "?"),
        }
    }
}

/// A TOML text in double quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A key as TOML wants it.
pub fn bare_or_quoted(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(is_bare);
    if bare { key.to_owned() } else { quoted(key) }
}

/// Whether a character can stand in a key without quotes.
pub fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}
