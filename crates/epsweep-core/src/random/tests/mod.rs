//! Tests that need the inside: arithmetic against a better one, and the same bits at every level.

mod arithmetic;
mod double_double;
mod levels;
