//! The library against independently computed reference values (`data/README.md` says where from and in which form).
//!
//! To add a family: a file here that holds a `FAMILY`, and its name in the list below. A case of a kind that its family does
//! not know fails; kinds known but not covered yet, and files without a family, are listed by name.

mod case;
mod family;

/// Declares the modules of the families and their registry.
macro_rules! families {
    ($($name:ident)*) => {
        $(mod $name;)*
        const FAMILIES: &[&family::Family] = &[$(&$name::FAMILY),*];
    };
}

families! {
    allocation
    article_dataset
    composition
    discrete
    exponential
    laplace_errors
    mc_statistics
    sensitivity
    svt
}

#[test]
fn reference_values() {
    let directory = case::directory();
    let report = family::check_directory(&directory, FAMILIES);
    // not through println!, which the test harness would swallow
    family::say(&report.text);
    assert!(
        report.failures.is_empty(),
        "{} reference values are not met:\n{}",
        report.failures.len(),
        report.failures.join("\n")
    );
    assert!(
        report.checked > 0,
        "no case was checked in {}",
        directory.display()
    );
    if !case::directory_is_replaced() {
        assert!(
            report.idle.is_empty(),
            "covered, but without a case: {}",
            report.idle.join(", ")
        );
    }
}
