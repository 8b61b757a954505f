//! Monte Carlo audits: a lower bound, from many runs, of how private a mechanism really is.
//!
//! A mechanism is run on two neighbouring inputs. On the first half of the runs the best distinguishing event is sought: outputs are
//! [reduced](reduction) to an outcome and a number in several ways, these are cut into the cells of a [`Partition`], and the
//! cells are joined to an [`Event`](event::Event) in the order of their likelihood ratios ([`event::best`]). On the other half, which took no part in the
//! choice, the event is counted, and [Clopper–Pearson bounds](certify) of its two probabilities give one of the privacy parameter, as the
//! [`Reading`] of the claimed guarantee says. Since everything is chosen on the first half (pair of inputs, reduction, direction, event), the bound
//! holds with its confidence whatever was tried: a mechanism that keeps its promise is called violated with a probability of at most 1 −
//! confidence.
//!
//! Ding, Wang, Wang, Zhang and Kifer, "Detecting violations of differential privacy", CCS 2018; Bichsel, Gehr, Drachsler-Cohen, Tsankov
//! and Vechev, "DP-Finder", CCS 2018; Gilbert and McMillan, "Property testing for differential privacy", 2018; Jagielski, Ullman and
//! Oprea, "Auditing differentially private machine learning", NeurIPS 2020; Bichsel, Steffen, Bogunovic and Vechev, "DP-Sniper", S&P 2021; Nasr
//! et al., "Tight auditing of differentially private machine learning", USENIX Security 2023.

mod bound;
mod error;
pub mod event;
mod outputs;
mod partition;
pub mod reading;
pub mod reduction;
pub mod subject;

pub use bound::{Finding, Verdict, certify};
pub use error::AuditError;
pub use outputs::Outputs;
pub use partition::Partition;
pub use reading::Reading;
pub use subject::{Pair, Subject};
