//! What is said of a query in a file: named texts and numbers.

use super::QueryError;
use crate::data::Predicate;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// the name of a column (text)
    Column,
    /// a predicate on rows (text)
    Predicate,
    /// a number
    Number,
    /// numbers
    Numbers,
    /// texts
    Texts,
    /// rows of numbers, all of one length
    Matrix,
    /// one of these words (text)
    Choice(&'static [&'static str]),
}

impl ParameterKind {
    /// In words, with an article.
    pub fn what(self) -> &'static str {
        match self {
            ParameterKind::Column => "the name of a column",
            ParameterKind::Predicate => "a predicate in quotes",
            ParameterKind::Number => "a number",
            ParameterKind::Numbers => "a list of numbers",
            ParameterKind::Texts => "a list of texts",
            ParameterKind::Matrix => "a list of lists of numbers",
            ParameterKind::Choice(_) => "one of its words in quotes",
        }
    }
}

/// A parameter of a kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// the name that a file uses
    pub name: &'static str,
    /// what it takes
    pub kind: ParameterKind,
    /// whether it must be given
    pub required: bool,
    /// one line in plain words
    pub summary: &'static str,
}

/// The column that a query is about.
pub(super) const COLUMN: Parameter = Parameter {
    name: "column",
    kind: ParameterKind::Column,
    required: true,
    summary: "the column, which holds numbers and has declared bounds",
};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// a column's name, a predicate or a choice
    Text(String),
    /// a number
    Number(f64),
    /// numbers
    Numbers(Vec<f64>),
    /// texts
    Texts(Vec<String>),
    /// rows of numbers
    Matrix(Vec<Vec<f64>>),
}

/// Named values, in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    values: Vec<(String, Argument)>,
}

impl Arguments {
    /// None yet.
    pub fn new() -> Arguments {
        Arguments::default()
    }

    /// Adds a text, in place of one of the same name.
    #[must_use]
    pub fn with_text(self, name: impl Into<String>, value: impl Into<String>) -> Arguments {
        self.with(name, Argument::Text(value.into()))
    }

    /// Adds a number, in place of one of the same name.
    #[must_use]
    pub fn with_number(self, name: impl Into<String>, value: f64) -> Arguments {
        self.with(name, Argument::Number(value))
    }

    /// Adds numbers, in place of a value of the same name.
    #[must_use]
    pub fn with_numbers(self, name: impl Into<String>, values: &[f64]) -> Arguments {
        self.with(name, Argument::Numbers(values.to_vec()))
    }

    /// Adds texts, in place of a value of the same name.
    #[must_use]
    pub fn with_texts(self, name: impl Into<String>, texts: &[&str]) -> Arguments {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        self.with(name, Argument::Texts(texts))
    }

    /// Adds a value, in place of one of the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: Argument) -> Arguments {
        let name = name.into();
        self.values.retain(|(known, _)| *known != name);
        self.values.push((name, value));
        self
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.values
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// Checks names and types against the parameters of a kind of query.
    ///
    /// # Errors
    /// [`QueryError::UnknownArgument`], [`QueryError::MissingArgument`] or [`QueryError::WrongArgument`]
    pub fn check(
        &self,
        query: &'static str,
        parameters: &'static [Parameter],
    ) -> Result<(), QueryError> {
        for (name, value) in &self.values {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let available = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(QueryError::UnknownArgument {
                    query,
                    argument: name.clone(),
                    available,
                });
            };
            let fits = match parameter.kind {
                ParameterKind::Number => matches!(value, Argument::Number(_)),
                ParameterKind::Numbers => matches!(value, Argument::Numbers(_)),
                ParameterKind::Texts => matches!(value, Argument::Texts(_)),
                ParameterKind::Matrix => matches!(value, Argument::Matrix(_)),
                ParameterKind::Column | ParameterKind::Predicate | ParameterKind::Choice(_) => {
                    matches!(value, Argument::Text(_))
                }
            };
            if !fits {
                return Err(QueryError::WrongArgument {
                    query,
                    parameter: *parameter,
                });
            }
            if let (ParameterKind::Choice(words), Argument::Text(word)) = (parameter.kind, value)
                && !words.contains(&word.as_str())
            {
                return Err(QueryError::Choice {
                    query,
                    argument: parameter.name,
                    value: word.clone(),
                    available: words,
                });
            }
        }
        for parameter in parameters.iter().filter(|parameter| parameter.required) {
            if self.get(parameter.name).is_none() {
                return Err(QueryError::MissingArgument {
                    query,
                    parameter: *parameter,
                });
            }
        }
        Ok(())
    }

    /// The text of that name, if it is one.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Argument::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of [`COLUMN`]; empty where `check` has not seen to it that there is one.
    pub(super) fn column(&self) -> String {
        self.text(COLUMN.name).unwrap_or_default().to_owned()
    }

    /// The number of that name, if it is one.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Argument::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The number of that name, which must be whole, between `least` and `most`; `None` without it.
    pub(crate) fn whole(
        &self,
        query: &'static str,
        name: &'static str,
        (least, most): (f64, f64),
        rule: &'static str,
    ) -> Result<Option<usize>, QueryError> {
        match self.number(name) {
            None => Ok(None),
            Some(value) if (least..=most).contains(&value) && value.fract() == 0.0 => {
                Ok(Some(value as usize))
            }
            Some(value) => Err(QueryError::Range {
                query,
                argument: name,
                value,
                rule,
            }),
        }
    }

    /// The numbers of that name, all finite; `None` without them.
    pub(crate) fn numbers(
        &self,
        query: &'static str,
        name: &'static str,
    ) -> Result<Option<&[f64]>, QueryError> {
        let Some(Argument::Numbers(values)) = self.get(name) else {
            return Ok(None);
        };
        match values.iter().find(|value| !value.is_finite()) {
            None => Ok(Some(values)),
            Some(&value) => Err(QueryError::Range {
                query,
                argument: name,
                value,
                rule: "finite, each of them",
            }),
        }
    }

    /// The texts of that name, if they are some.
    pub(crate) fn texts(&self, name: &str) -> Option<&[String]> {
        match self.get(name)? {
            Argument::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// The predicate of that name, if there is one.
    pub(super) fn predicate(
        &self,
        query: &'static str,
        name: &'static str,
    ) -> Result<Option<Predicate>, QueryError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let parsed = Predicate::parse(text);
        parsed.map(Some).map_err(|error| QueryError::Predicate {
            query,
            argument: name,
            error,
        })
    }
}
