//! What the names of this project are called elsewhere.

use super::FAMILIES;
use super::Family;

/// Words of the field, in lower case and joined by `-`, with the names that they mean here.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("analytic-gaussian", &["gaussian"]),
    ("b-tree", &["hierarchical", "binary-tree"]),
    ("cdp", &["zcdp"]),
    ("double-exponential", &["laplace"]),
    ("dp-sgd", &["train", "subsampled-gaussian"]),
    ("dpsgd", &["train", "subsampled-gaussian"]),
    ("em", &["exponential"]),
    ("fft", &["pld"]),
    ("geometric", &["discrete-laplace"]),
    ("haar", &["hierarchical"]),
    ("hb", &["hierarchical"]),
    ("kov", &["optimal"]),
    ("moments-accountant", &["rdp"]),
    ("multiplicity", &["join-count"]),
    ("noisy-sgd", &["train", "subsampled-gaussian"]),
    ("one-hot", &["group-count"]),
    ("privacy-loss-distribution", &["pld"]),
    ("privelet", &["hierarchical"]),
    ("randomized-response", &["randomised-response"]),
    (
        "report-noisy-max",
        &["laplace-noisy-max", "exponential-noisy-max"],
    ),
    ("rnm", &["laplace-noisy-max", "exponential-noisy-max"]),
    ("rényi", &["rdp"]),
    ("sgd", &["train"]),
    ("std", &["standard-deviation"]),
    ("svt", &["svt-alg7", "svt-alg1"]),
    ("top-k", &["peeling", "one-shot-gumbel"]),
    ("tree", &["hierarchical", "binary-tree"]),
    ("uniform-split", &["even"]),
    ("wavelet", &["hierarchical"]),
];

/// The names that are meant by a word that is none: by what it is called elsewhere, or those that hold it between their hyphens.
pub fn meant(word: &str) -> Vec<&'static str> {
    let word = word.trim().to_lowercase().replace([' ', '_'], "-");
    if let Some((_, names)) = SYNONYMS.iter().find(|(known, _)| *known == word) {
        return names.to_vec();
    }
    let padded = format!("-{word}-");
    let mut names: Vec<&str> = (FAMILIES.iter().flat_map(Family::members))
        .map(|entry| entry.about.name)
        .filter(|name| !word.is_empty() && format!("-{name}-").contains(&padded))
        .collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find;

    #[test]
    fn every_synonym_means_a_name_and_is_none() {
        for (word, names) in SYNONYMS {
            for name in *names {
                assert!(!find(name).is_empty(), "{word} → {name}");
            }
            assert!(find(word).is_empty(), "{word}");
            assert_eq!(meant(word), *names);
        }
        assert!(SYNONYMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn parts_of_names_mean_those_that_have_them() {
        assert_eq!(
            meant("Noisy max"),
            [
                "gumbel-noisy-max",
                "laplace-noisy-max",
                "exponential-noisy-max",
                "noisy-max"
            ]
        );
        assert!(meant("").is_empty() && meant("banana").is_empty());
    }
}
