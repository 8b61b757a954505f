//! Addressed randomness.
