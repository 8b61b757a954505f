//! Releases as those see them who know no more of a mechanism than an (ε, δ).

use super::error::AccountingError;
use super::release::{Mechanism, Release};
use super::{Accountant, Total, gaussian, rdp, zcdp};
use crate::budget::{Delta, Epsilon};
use crate::shortest::Rounded;

/// The least ε at which a mechanism is known to be (ε, δ)-private by itself: exact for Gaussian noise, by the best conversion for
/// the others that have no ε of their own. A mechanism that has one keeps it.
///
/// # Errors
/// [`AccountingError`] if δ is not in (0, 1) where one is needed, or no finite ε is reached
pub fn epsilon_alone(mechanism: Mechanism, delta: f64) -> Result<f64, AccountingError> {
    match mechanism {
        Mechanism::Gaussian(noise) => gaussian::epsilon(1.0 / noise.get(), delta),
        Mechanism::Zcdp(rho) => Ok(zcdp::tight(rho.get(), delta)?.epsilon),
        Mechanism::SubsampledGaussian(..) => {
            Ok(rdp::best_order(&[Release::once(mechanism)], delta)?.epsilon)
        }
        other => Ok(other.epsilon_delta().map_or(0.0, |pair| pair.0)),
    }
}

/// What a method says of releases. One whose theorem is about releases with an ε of their own is told of the others as (εᵢ, δᵢ): half of δ
/// is divided among them evenly, εᵢ is the least at δᵢ, and the note says so. The other half is left to the method.
///
/// # Errors
/// As [`Accountant::total`]
pub fn total_or_declared(
    accountant: &dyn Accountant,
    releases: &[Release],
    delta: f64,
) -> Result<Total, AccountingError> {
    let refused = match accountant.total(releases, delta) {
        Err(error @ AccountingError::Unsupported { .. }) => error,
        other => return other,
    };
    let impure = |release: &&Release| release.mechanism().epsilon_delta().is_none();
    let count: f64 = (releases.iter().filter(impure))
        .map(|release| release.count() as f64)
        .sum();
    if count == 0.0 || !(delta > 0.0) {
        return Err(refused);
    }
    let each = 0.5 * delta / count;
    let declared: Result<Vec<Release>, AccountingError> = (releases.iter())
        .map(|release| {
            if !impure(&release) {
                return Ok(*release);
            }
            let epsilon = epsilon_alone(release.mechanism(), each)?;
            match (Epsilon::new(epsilon), Delta::new(each)) {
                (Ok(epsilon), Ok(delta)) => {
                    Release::repeated(Mechanism::Approximate(epsilon, delta), release.count())
                }
                // ε = 0: already private enough by δᵢ alone, which no method has a word for
                _ => Err(refused.clone()),
            }
        })
        .collect();
    let mut total = accountant.total(&declared?, delta)?;
    // of the releases as declared, a lower bound says nothing about those that there are
    total.lower = None;
    let note = format!(
        "each of {count} releases without an ε of its own counts by its ε at δ = {}",
        Rounded(each)
    );
    total.note = Some(match total.note {
        None => note,
        Some(other) => format!("{other}; {note}"),
    });
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::{AccountingError, NoiseMultiplier, accountant};

    fn gaussian(sigma: f64, count: u64) -> Release {
        let noise = NoiseMultiplier::new(sigma).unwrap();
        Release::repeated(Mechanism::Gaussian(noise), count).unwrap()
    }

    #[test]
    fn methods_that_need_an_epsilon_are_told_one() {
        let releases = [gaussian(10.0, 100)];
        let exact = accountant("gaussian")
            .unwrap()
            .total(&releases, 1e-6)
            .unwrap();
        for name in ["advanced", "advanced-refined", "optimal"] {
            let method = accountant(name).unwrap();
            assert!(matches!(
                method.total(&releases, 1e-6),
                Err(AccountingError::Unsupported { .. })
            ));
            let told = total_or_declared(method, &releases, 1e-6).unwrap();
            // the same by hand
            let each = 0.5e-6 / 100.0;
            let epsilon = super::gaussian::epsilon(0.1, each).unwrap();
            let pair =
                Mechanism::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(each).unwrap());
            let by_hand = method
                .total(&[Release::repeated(pair, 100).unwrap()], 1e-6)
                .unwrap();
            assert_eq!(told.epsilon, by_hand.epsilon);
            assert!(told.epsilon > exact.epsilon && told.note.unwrap().contains("of its own"));
            assert!(total_or_declared(method, &releases, 0.0).is_err());
        }
    }

    #[test]
    fn what_a_method_can_serve_is_left_as_it_is() {
        let laplace = [Release::once(Mechanism::Laplace(
            Epsilon::new(0.1).unwrap(),
        ))];
        for method in crate::accounting::REGISTRY {
            assert_eq!(
                total_or_declared(*method, &laplace, 1e-6),
                method.total(&laplace, 1e-6)
            );
        }
    }
}
