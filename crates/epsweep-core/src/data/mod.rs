//! Tables with declared, public bounds.
