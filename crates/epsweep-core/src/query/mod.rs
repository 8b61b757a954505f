//! Queries: the answer on a table, and the sensitivity under a neighbouring relation.
