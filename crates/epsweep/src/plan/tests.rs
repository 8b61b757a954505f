use super::*;
use std::path::PathBuf;

fn experiments() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn shipped(name: &str) -> Plan {
    let path = experiments().join(name);
    Plan::load(&path, &Overrides::default()).unwrap_or_else(|errors| panic!("{name}\n{errors}"))
}

#[test]
fn the_shipped_experiments_are_valid() {
    for (name, cells, claims) in [
        ("adaptive-allocation.toml", 7, 38),
        ("epsilon-sweep.toml", 91, 7),
        ("weighted-allocation.toml", 6, 3),
        ("sensitivities.toml", 4, 14),
    ] {
        let plan = shipped(name);
        assert_eq!(plan.cells().len(), cells, "{name}");
        assert_eq!(plan.claims().len(), claims, "{name}");
        assert_eq!(plan.settings().trials, 100_000);
        assert_eq!(plan.resolved().cells.len(), cells);
    }
}
