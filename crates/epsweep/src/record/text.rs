//! Short texts that many rows share.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name in a row of a table. Rows are many and names few: a copy costs no memory.
#[derive(Clone)]
pub struct Text(Inner);

#[derive(Clone)]
enum Inner {
    Fixed(&'static str),
    Shared(Arc<str>),
}

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        self
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Inner::Fixed(text) => text,
            Inner::Shared(text) => text,
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Text(Inner::Fixed(text))
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Text(Inner::Shared(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Inner::Shared(text.into()))
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.to_string()
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        Text(Inner::Shared(text.as_str().into()))
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        **self == **other
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl serde::Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_equal_wherever_they_are() {
        let (fixed, shared) = (Text::from("rmse"), Text::from(String::from("rmse")));
        assert_eq!(fixed, shared);
        assert_eq!(shared, *"rmse");
        assert_eq!(shared.clone(), "rmse");
        assert_ne!(shared, Text::from("mse"));
        assert_eq!(format!("{fixed} {shared:?}"), "rmse \"rmse\"");
    }
}
