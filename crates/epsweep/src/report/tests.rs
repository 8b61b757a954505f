use super::*;
use crate::figure::style::{READABLE, luminance};
use crate::figure::{Formats, render_all, sample};

fn report() -> (Run, String, String) {
    let mut run = sample::run(&[0.1, 1.0], &["even", "proportional", "optimal-mse"], 3000);
    run.resolved.question = "Is <this> & \"that\" escaped?".to_owned();
    let drawn = render_all(&run, Formats::default()).expect("figures");
    let mut files = files(&run, &crate::summary::answer(&run), &drawn).into_iter();
    let html = files.next().expect("html").1;
    let markdown = files.next().expect("markdown").1;
    if let Ok(place) = std::env::var("EPSWEEP_LOOK") {
        let place = std::path::Path::new(&place).join("report");
        crate::figure::tests::save(&place, &drawn);
        std::fs::write(place.join("report.html"), &html).expect("html");
        std::fs::write(place.join("report.md"), &markdown).expect("markdown");
    }
    (run, html, markdown)
}

#[test]
fn every_claim_is_there_with_its_verdict_and_disagreement_is_marked() {
    let (run, html, markdown) = report();
    for claim in &run.claims {
        assert!(
            html.contains(&format!("<td>{}</td>", claim.claim)),
            "{}",
            claim.claim
        );
        assert!(
            markdown.contains(&format!("| {} |", claim.claim)),
            "{}",
            claim.claim
        );
    }
    assert!(html.contains("<span class=\"badge holds\">holds</span>"));
    assert!(html.contains("<span class=\"badge alarm\">undecided; expected: refuted</span> <small>about 400000 trials would decide</small>"));
    assert!(markdown.contains("**⚠ undecided; expected: refuted"));
    assert_eq!(html.matches("badge alarm\">undecided").count(), 1);
}

#[test]
fn the_html_is_well_formed_and_asks_for_nothing_from_outside() {
    let (_, html, _) = report();
    assert!(html.contains("Is &lt;this&gt; &amp; &quot;that&quot; escaped?"));
    assert!(html.contains("&lt;two thirds&gt; &amp; more"));
    assert!(
        !html.contains("src=") && !html.contains("url(") && html.contains("default-src 'none'")
    );
    assert_eq!(html.matches("<script>").count(), 1);
    let addresses: Vec<&str> = html
        .split("http")
        .skip(1)
        .map(|rest| &rest[..20.min(rest.len())])
        .collect();
    assert!(
        addresses
            .iter()
            .all(|a| a.starts_with("://www.w3.org/2000/s") || a.starts_with("-equiv=")),
        "{addresses:?}"
    );
    // every element that is opened is closed, in order; what is between the tags of the script is not markup
    let (before, script) = html.split_once("<script>").expect("a script");
    let (script, after) = script.split_once("</script>").expect("its end");
    assert!(script.contains("use strict"));
    let mut open: Vec<String> = Vec::new();
    for tag in format!("{before}{after}").split('<').skip(1) {
        let inside = tag.split('>').next().unwrap_or("");
        let name: String = inside
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '!')
            .collect();
        if inside.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()));
        } else if !inside.ends_with('/') && !matches!(name.as_str(), "meta" | "!DOCTYPE") {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

/// In every theme, and in print, all text has a contrast of 4.5 : 1 with what is behind it (WCAG 2, level AA).
#[test]
fn all_text_can_be_read_in_every_theme() {
    let themes: Vec<&str> = (include_str!("style.css").split('{'))
        .filter_map(|block| block.split('}').next())
        .filter(|block| block.contains("--page:"))
        .collect();
    assert_eq!(themes.len(), 4, "light, dark twice, print");
    for theme in themes {
        let colour = |name: &str| {
            let (_, after) = (theme.split_once(&format!("--{name}: "))).expect("a colour");
            let tone = |at: usize| u8::from_str_radix(&after[at..at + 2], 16).expect("hex");
            luminance((tone(1), tone(3), tone(5)))
        };
        for (text, behind) in [
            ("ink", "page"),
            ("ink", "band"),
            ("quiet", "page"),
            ("quiet", "band"),
            ("link", "page"),
            ("link", "band"),
            ("holds", "holds-back"),
            ("refuted", "refuted-back"),
            ("undecided", "undecided-back"),
            ("alarm", "alarm-back"),
        ] {
            let (a, b) = (colour(text), colour(behind));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(
                contrast >= READABLE,
                "{text} on {behind}: {contrast:.2} in {theme}"
            );
        }
    }
}

/// Beside a picture stands what is not in it; what is in it is repeated only where the picture is too small to be read.
#[test]
fn captions_are_not_shown_twice() {
    let (_, html, _) = report();
    let captions: Vec<&str> = (html.split("<figcaption>").skip(1))
        .filter_map(|rest| rest.split("</figcaption>").next())
        .collect();
    assert!(!captions.is_empty());
    let mut simulated = 0;
    for caption in captions {
        let (again, own) = caption.split_once("</span>").expect("a part that repeats");
        assert!(again.starts_with("<span class=\"again\">"), "{caption}");
        simulated += usize::from(again.contains("3000 trials per cell"));
        assert!(!own.contains("trials per cell"), "{caption}");
        assert!(own.contains("The plotted numbers are in"), "{caption}");
    }
    assert!(simulated > 2, "{simulated}");
    assert!(include_str!("style.css").contains(".again { display: none; }"));
}

#[test]
fn reports_repeat_and_show_rounded_numbers_beside_exact_ones() {
    let (_, html, markdown) = report();
    let (_, again, markdown_again) = report();
    assert_eq!(html, again);
    assert_eq!(markdown, markdown_again);
    // exact mean of the largest error at ε = 1, even
    assert!(html.contains("360.025") && markdown.contains("360.025"));
    assert!(html.contains(" ± "));
    assert!(markdown.contains("figures/error-epsilon-max-abs-error.png"));
}

#[test]
fn many_cells_leave_tables_short_and_say_where_the_rest_is() {
    let epsilons: Vec<f64> = (1..=66).map(f64::from).collect();
    let run = sample::run(&epsilons, &["even", "proportional"], 50);
    let text = &files(&run, "", &[])[1].1;
    assert!(text.contains("12 more rows are in summary.csv."), "{text}");
    assert!(text.lines().count() < 700);
}

#[test]
fn a_run_without_anything_has_a_report() {
    let mut run = sample::run(&[1.0], &["even"], 10);
    run.summary.clear();
    run.claims.clear();
    run.comparisons.clear();
    run.histograms.clear();
    run.resolved.cells.clear();
    run.resolved.data.clear();
    for (_, text) in files(&run, "", &[]) {
        assert!(text.contains("How to repeat this") && !text.contains("Claims"));
    }
}

/// What `verify` says, the ledger, audits and controls are in both forms, and what contradicts theory is called so.
#[test]
fn a_reader_is_told_whether_to_trust_the_run() {
    let mut run = sample::run(&[0.5, 1.0], &["even", "proportional"], 3000);
    let shown = |run: &Run| {
        let drawn = render_all(run, Formats::default()).expect("figures");
        let mut files = files(run, "", &drawn).into_iter();
        (
            files.next().expect("html").1,
            files.next().expect("markdown").1,
        )
    };
    let (html, markdown) = shown(&run);
    for text in [&html, &markdown] {
        assert!(text.contains("Can this be trusted?"));
        assert!(text.contains("Ledger: what was spent") && text.contains("within"));
        assert!(!text.contains("not to be used") && !text.contains("Audits"));
    }
    run.audits = vec![crate::record::AuditRow {
        audit: "laplace".into(),
        claim: "ε = 1".into(),
        parameter: "ε".into(),
        certified: "1.25".into(),
        verdict: "violated".into(),
        ..Default::default()
    }];
    run.resolved.cells[0].noise = "gaussian-classic-control".into();
    // every mean is said to be ten standard errors off
    for row in &mut run.summary {
        if let (Some(mcse), "mean") = (row.mcse, &*row.statistic) {
            row.exact = Some(row.value + 10.0 * mcse);
            row.z = Some(-10.0);
        }
    }
    run.resolved.cells[1].total = 0.1;
    let (html, markdown) = shown(&run);
    for text in [&html, &markdown] {
        assert!(text.contains("FAILED") && text.contains("violated") && text.contains("1.25"));
        assert!(text.contains("not to be used") && text.contains("overspent"));
    }
    assert!(markdown.contains("figures/z-scores.png"));
}
