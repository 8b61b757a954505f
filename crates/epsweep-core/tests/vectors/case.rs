//! A case of a file of reference values: its inputs, its expected values, and the rule by which a value passes.

use serde_json::Value;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "EPSWEEP_VECTORS";

/// Whether the environment names another directory.
pub fn directory_is_replaced() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty())
}

/// The directory of the reference values that are part of the repository.
pub fn own_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/data")
}

/// The directory to read: the repository's, unless the environment names another.
pub fn directory() -> PathBuf {
    if directory_is_replaced() {
        PathBuf::from(std::env::var_os(VARIABLE).unwrap_or_default())
    } else {
        own_directory()
    }
}

/// A data file that cases speak of: beside the cases, in `../data`, or the repository's own copy.
pub fn data_file(name: &str) -> PathBuf {
    let given = directory();
    [given.join(name), given.join("../data").join(name)]
        .into_iter()
        .find(|path| path.is_file())
        .unwrap_or_else(|| own_directory().join(name))
}

/// A number of a case: a JSON number, a string for what lies outside the normal range of `f64` (rounds to 0 or ±∞), or `None`
/// for `null`.
///
/// # Panics
/// if the value is something else
pub fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(match text.as_str() {
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            digits => digits
                .parse()
                .unwrap_or_else(|_| panic!("not a number: {digits:?}")),
        }),
        Value::Number(number) => number.as_f64(),
        other => panic!("not a number: {other}"),
    }
}

/// Allowed distance from an expected value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// in the units of the value
    pub abs: f64,
    /// as a part of the expected value
    pub rel: f64,
}

impl Tolerance {
    /// Whether |got − expected| ≤ abs + rel·|expected|. Infinities must be equal; NaN never passes.
    pub fn allows(self, got: f64, expected: f64) -> bool {
        got == expected
            || (expected.is_finite()
                && (got - expected).abs() <= self.abs + self.rel * expected.abs())
    }
}

/// One case.
pub struct Case {
    /// family, kind and a number
    pub id: String,
    /// the inputs; `kind` names their form
    pub input: Value,
    /// the expected values
    pub expected: Value,
    tolerance: Value,
}

#[allow(dead_code)] // shared by families that need different parts of it
impl Case {
    /// All cases of a file.
    ///
    /// # Panics
    /// if the file cannot be read or is not a list of cases
    pub fn read(path: &Path) -> Vec<Case> {
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let value: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cases = value
            .as_array()
            .unwrap_or_else(|| panic!("{}: not a list of cases", path.display()));
        cases.iter().map(Case::from_json).collect()
    }

    /// One case of a file.
    ///
    /// # Panics
    /// if a field is missing
    pub fn from_json(value: &Value) -> Case {
        let field = |name: &str| {
            value
                .get(name)
                .unwrap_or_else(|| panic!("a case without `{name}`: {value}"))
                .clone()
        };
        let id = field("id").as_str().expect("an id is text").to_owned();
        Case {
            id,
            input: field("input"),
            expected: field("expected"),
            tolerance: field("tolerance"),
        }
    }

    /// An input, which must be there.
    pub fn input(&self, name: &str) -> &Value {
        self.input
            .get(name)
            .unwrap_or_else(|| panic!("{}: no input `{name}`", self.id))
    }

    /// An input that is text.
    pub fn text(&self, name: &str) -> &str {
        self.input(name)
            .as_str()
            .unwrap_or_else(|| panic!("{}: `{name}` is not text", self.id))
    }

    /// An input that is a number.
    pub fn input_number(&self, name: &str) -> f64 {
        number_of(self.input(name)).unwrap_or_else(|| panic!("{}: `{name}` is null", self.id))
    }

    /// An input that is a list of numbers.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        let list = self
            .input(name)
            .as_array()
            .unwrap_or_else(|| panic!("{}: `{name}` is not a list", self.id));
        list.iter()
            .map(|value| number_of(value).expect("a number"))
            .collect()
    }

    /// An expected value by its dotted path (`trial_rmse.mean`, `per_query.0.scale`), if the case has it.
    pub fn expected_at(&self, path: &str) -> Option<&Value> {
        path.split('.')
            .try_fold(&self.expected, |value, step| match value {
                Value::Array(list) => list.get(step.parse::<usize>().ok()?),
                other => other.get(step),
            })
    }

    /// A number among the keys of `tolerance`, such as `skew_kurt_abs`.
    pub fn tolerance_key(&self, key: &str) -> Option<f64> {
        self.tolerance.get(key).and_then(number_of)
    }

    /// The tolerance of the expected value at a dotted path: `abs` and `rel` of the case, `rel` replaced by the longest prefix of
    /// the path among `overrides`, then each by `FIELD_abs` and `FIELD_rel`, where FIELD is the last step of the path
    /// that is not an index.
    pub fn tolerance_at(&self, path: &str) -> Tolerance {
        let mut tolerance = Tolerance {
            abs: self.tolerance_key("abs").unwrap_or(0.0),
            rel: self.tolerance_key("rel").unwrap_or(0.0),
        };
        if let Some(overrides) = self.tolerance.get("overrides").and_then(Value::as_object) {
            let longest = overrides
                .iter()
                .filter(|(key, _)| path == *key || path.starts_with(&format!("{key}.")))
                .max_by_key(|(key, _)| key.len());
            if let Some((_, value)) = longest {
                tolerance.rel = number_of(value).expect("an override is a number");
            }
        }
        let field = path
            .split('.')
            .rev()
            .find(|step| step.parse::<usize>().is_err())
            .unwrap_or(path);
        if let Some(abs) = self.tolerance_key(&format!("{field}_abs")) {
            tolerance.abs = abs;
        }
        if let Some(rel) = self.tolerance_key(&format!("{field}_rel")) {
            tolerance.rel = rel;
        }
        tolerance
    }
}

/// Compares values with those expected and keeps what differs. A case in which nothing was compared fails.
pub struct Checks<'a> {
    case: &'a Case,
    compared: usize,
    failures: Vec<String>,
}

#[allow(dead_code)] // shared by families that need different parts of it
impl<'a> Checks<'a> {
    /// Nothing compared yet.
    pub fn new(case: &'a Case) -> Self {
        Checks {
            case,
            compared: 0,
            failures: Vec::new(),
        }
    }

    /// A number, with the tolerance of its path. Where `null` is expected, use `undefined`.
    pub fn number(&mut self, path: &str, got: f64) {
        self.number_within(path, got, self.case.tolerance_at(path));
    }

    /// A number with another tolerance than that of its path (`skew_kurt_abs` is for several fields, for example).
    pub fn number_within(&mut self, path: &str, got: f64, tolerance: Tolerance) {
        self.compared += 1;
        match self.case.expected_at(path).map(number_of) {
            Some(Some(expected)) if tolerance.allows(got, expected) => {}
            Some(Some(expected)) => {
                let allowed = tolerance.abs + tolerance.rel * expected.abs();
                let distance = (got - expected).abs();
                self.fail(format!("{path} is {got:e}, expected {expected:e}; apart by {distance:e}, allowed {allowed:e}"));
            }
            Some(None) => self.fail(format!("{path} is {got:e}, expected to be undefined")),
            None => self.fail(format!("{path}: the case has no such value")),
        }
    }

    /// A number that may be undefined (`null` in the case).
    pub fn optional(&mut self, path: &str, got: Option<f64>) {
        match got {
            Some(number) => self.number(path, number),
            None => {
                self.compared += 1;
                match self.case.expected_at(path) {
                    Some(Value::Null) => {}
                    Some(expected) => {
                        self.fail(format!("{path} is undefined, expected {expected}"))
                    }
                    None => self.fail(format!("{path}: the case has no such value")),
                }
            }
        }
    }

    /// A list of numbers, of the expected length.
    pub fn numbers(&mut self, path: &str, got: &[f64]) {
        let expected = self
            .case
            .expected_at(path)
            .and_then(Value::as_array)
            .map(Vec::len);
        if expected != Some(got.len()) {
            self.fail(format!(
                "{path} has {} values, expected {expected:?}",
                got.len()
            ));
            return;
        }
        for (index, &value) in got.iter().enumerate() {
            self.number(&format!("{path}.{index}"), value);
        }
    }

    /// A count or a rank, which must be exact.
    pub fn integer(&mut self, path: &str, got: i64) {
        self.number_within(path, got as f64, Tolerance { abs: 0.0, rel: 0.0 });
    }

    /// Something that is not a number.
    pub fn that(&mut self, met: bool, complaint: impl FnOnce() -> String) {
        self.compared += 1;
        if !met {
            self.fail(complaint());
        }
    }

    fn fail(&mut self, message: String) {
        self.failures.push(format!("{}: {message}", self.case.id));
    }

    /// One line per value that is not met.
    pub fn finish(mut self) -> Vec<String> {
        if self.compared == 0 && self.failures.is_empty() {
            self.fail("nothing was compared".to_owned());
        }
        self.failures
    }
}

#[test]
fn the_rule_of_tolerance_accepts_and_rejects() {
    let tolerance = Tolerance { abs: 0.5, rel: 0.1 };
    assert!(tolerance.allows(11.5, 10.0));
    assert!(!tolerance.allows(11.6, 10.0));
    assert!(tolerance.allows(f64::INFINITY, f64::INFINITY));
    assert!(!tolerance.allows(f64::INFINITY, f64::NEG_INFINITY));
    assert!(!tolerance.allows(1e300, f64::INFINITY));
    assert!(!tolerance.allows(f64::NAN, 10.0));
}

#[test]
fn tolerances_of_single_fields_replace_the_common_one() {
    let case = Case::from_json(&serde_json::json!({
        "id": "toy", "input": {}, "expected": {"trial": {"mean": 1.0, "list": [1.0, "Infinity", null]}},
        "tolerance": {"rel": 1e-12, "abs": 0, "mean_abs": 0.25, "overrides": {"trial": 1e-3, "trial.list": 1e-6}}
    }));
    assert_eq!(
        case.tolerance_at("other"),
        Tolerance {
            abs: 0.0,
            rel: 1e-12
        }
    );
    assert_eq!(
        case.tolerance_at("trial.mean"),
        Tolerance {
            abs: 0.25,
            rel: 1e-3
        }
    );
    assert_eq!(
        case.tolerance_at("trial.list.1"),
        Tolerance {
            abs: 0.0,
            rel: 1e-6
        }
    );
    assert_eq!(
        number_of(case.expected_at("trial.list.1").unwrap()),
        Some(f64::INFINITY)
    );
    assert_eq!(number_of(&serde_json::json!("1.97e-434")), Some(0.0));

    let mut checks = Checks::new(&case);
    checks.number("trial.list.0", 1.0);
    checks.optional("trial.list.2", None);
    assert!(checks.finish().is_empty());
    let mut wrong = Checks::new(&case);
    wrong.number("trial.list.0", 1.1);
    wrong.number("trial.list.2", 1.1);
    wrong.optional("trial.list.0", None);
    wrong.number("absent", 1.0);
    wrong.numbers("trial.list", &[1.0]);
    assert_eq!(wrong.finish().len(), 5);
    assert_eq!(Checks::new(&case).finish().len(), 1);
}
