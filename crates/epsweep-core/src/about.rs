//! What can be named in an experiment file says of itself: one line, its formula and its source.

/// The description that every member of a registry carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// the name that a file uses
    pub name: &'static str,
    /// one line in plain words
    pub summary: &'static str,
    /// the formula, in Unicode, empty if there is none
    pub formula: &'static str,
    /// paper and theorem
    pub source: &'static str,
}
