//! Tests of the mechanisms together: most of them iterate the registries, so that a newcomer is tested without editing them.

mod laws;
mod privacy;
mod samplers;
mod statements;
mod top_k;
mod utilities;
