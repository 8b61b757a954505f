fn main() {
    for a in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        match epsweep::plan::Plan::load(std::path::Path::new(&a), &Default::default()) {
            Ok(p) => {
                println!(
                    "ok {} cells, {} pairs {} claims {:?}",
                    p.cells().len(),
                    p.pairs().len(),
                    p.claims().len(),
                    t.elapsed()
                );
                for w in p.warnings() {
                    println!("warning: {w}")
                }
                for c in p.resolved().cells.iter().take(3) {
                    println!(
                        "{} {:?}",
                        c.id,
                        c.queries
                            .iter()
                            .map(|q| (q.truth, q.l1, q.scale))
                            .collect::<Vec<_>>()
                    )
                }
            }
            Err(e) => println!("{e}"),
        }
    }
}
