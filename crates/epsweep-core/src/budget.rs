//! Privacy parameters, valid by construction.
