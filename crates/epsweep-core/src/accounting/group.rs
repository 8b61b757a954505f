//! Group privacy: what a guarantee for one record means for m of them.

use super::error::{self, AccountingError};
use super::rdp::Curve;
use crate::about::About;

/// Name, formula and source.
pub const ABOUT: About = About {
    name: "group",
    summary: "the guarantee for groups of m records",
    formula: "mε; δ(e^(mε) − 1)/(e^ε − 1); m²ρ; ε_m(α) ≤ 3^c ε(2^c α), m ≤ 2^c",
    source: "Dwork, Roth 2014, theorem 2.2, for ε alone; Vadhan, The Complexity of Differential Privacy, 2017, lemma 2.2, for (ε, δ); Bun, Steinke, TCC 2016, proposition 1.9; Mironov, CSF 2017, proposition 2",
};

fn size(records: u64) -> Result<f64, AccountingError> {
    error::positive("group size", records as f64)
}

/// mε.
///
/// # Errors
/// [`AccountingError::Parameter`] if ε is negative or not finite, or m is 0
pub fn pure(epsilon: f64, records: u64) -> Result<f64, AccountingError> {
    Ok(size(records)? * error::non_negative("ε", epsilon)?)
}

/// (mε, δ(e^(mε) − 1)/(e^ε − 1)).
///
/// # Errors
/// [`AccountingError::Parameter`] for values outside their domain; [`AccountingError::Limit`] if the group's δ is 1 or more, so that
/// nothing is guaranteed
pub fn approximate(epsilon: f64, delta: f64, records: u64) -> Result<(f64, f64), AccountingError> {
    let total = pure(epsilon, records)?;
    error::delta(delta)?;
    if delta == 0.0 {
        return Ok((total, 0.0));
    }
    let factor = if epsilon == 0.0 {
        records as f64
    } else {
        libm::expm1(total) / libm::expm1(epsilon)
    };
    let grown = delta * factor;
    if grown < 1.0 {
        return Ok((total, grown));
    }
    Err(AccountingError::Limit {
        method: ABOUT.name,
        what: "the group's δ",
        value: grown,
        limit: 1.0,
        remedy: "consider smaller groups, or start from a smaller δ",
    })
}

/// m²ρ.
///
/// # Errors
/// [`AccountingError::Parameter`] if ρ is negative or not finite, or m is 0
pub fn concentrated(rho: f64, records: u64) -> Result<f64, AccountingError> {
    let size = size(records)?;
    Ok(size * size * error::non_negative("ρ", rho)?)
}

/// The Rényi divergence at order α ≥ 2: 3^c times that of one record at order 2^c·α, with the smallest c such that m ≤ 2^c.
///
/// # Errors
/// [`AccountingError::Parameter`] if α is below 2, or m is 0; what the curve refuses
pub fn renyi(curve: &dyn Curve, alpha: f64, records: u64) -> Result<f64, AccountingError> {
    size(records)?;
    if alpha.is_nan() || alpha < 2.0 {
        return Err(AccountingError::Parameter {
            what: "Rényi order α for a group",
            value: alpha,
            rule: "must be at least 2",
            remedy: "use a larger order",
        });
    }
    let doublings = 64 - (records - 1).leading_zeros();
    let factor = libm::pow(3.0, f64::from(doublings));
    Ok(factor * curve.rdp(libm::scalbn(alpha, doublings as i32))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::rdp;

    #[test]
    fn groups_of_one_are_single_records() {
        assert_eq!(pure(0.5, 1).unwrap(), 0.5);
        assert_eq!(approximate(0.5, 1e-6, 1).unwrap(), (0.5, 1e-6));
        assert_eq!(concentrated(0.5, 1).unwrap(), 0.5);
        let curve = rdp::Gaussian::new(0.5).unwrap();
        assert_eq!(renyi(&curve, 2.0, 1).unwrap(), 1.0);
    }

    #[test]
    fn the_formulas_hold_and_nothing_is_promised_beyond() {
        assert_eq!(pure(0.1, 30).unwrap(), 3.0);
        assert_eq!(concentrated(0.5, 4).unwrap(), 8.0);
        // δ(1 + e^ε + e^2ε)
        let (_, delta) = approximate(1.0, 1e-6, 3).unwrap();
        assert!((delta / (1e-6 * 11.107337927389695) - 1.0).abs() < 1e-14);
        assert_eq!(approximate(0.0, 1e-6, 3).unwrap(), (0.0, 3e-6));
        for (epsilon, records) in [(1.0, 100), (1000.0, 2)] {
            assert!(
                approximate(epsilon, 1e-6, records)
                    .unwrap_err()
                    .to_string()
                    .contains("smaller groups")
            );
        }
        // the general rule must not fall below what holds for Gaussian noise exactly: αm²ρ
        let curve = rdp::Gaussian::new(0.5).unwrap();
        for records in [1, 2, 3, 4, 5, 100] {
            assert!(renyi(&curve, 2.0, records).unwrap() >= (records * records) as f64);
        }
        assert!(pure(1.0, 0).is_err() && renyi(&curve, 1.5, 2).is_err());
    }
}
