//! Two pictures of a calibration: the coverage of every statistic, and a zip plot of the worst of each kind.

use super::{Calibration, Coverage, Judgement, TOLERANCE, Zip};
use crate::figure::axis::Axis;
use crate::figure::canvas::{Canvas, Rect};
use crate::figure::legend::{Entry, Swatch};
use crate::figure::page::{Page, raw, raw_or_empty};
use crate::figure::panel::{self, Horizontal, Panel};
use crate::figure::style::{self, Style};
use crate::figure::ticks::Below;
use crate::figure::{Drawing, Plotted};
use crate::words::{about_percent, grouped, percent, points, significant};

/// Intervals of a zip plot, evenly spaced among the ranks.
const LINES: usize = 200;

/// Series of the colours of judgements, in the order of their severity.
const SERIES: [(Judgement, usize, &str); 5] = [
    (Judgement::Nominal, 0, "nominal"),
    (Judgement::AsComputed, 2, "discrete, as computed"),
    (Judgement::Warned, 4, "a warning said so"),
    (Judgement::Wide, 5, "wide"),
    (Judgement::Short, 1, "short"),
];

fn provenance(of: &Calibration) -> String {
    format!(
        "{} repeats of {} trials; intervals at {} %.",
        grouped(of.repeats),
        grouped(of.trials),
        significant(100.0 * of.level, 4)
    )
}

/// The coverage of every statistic, by the kind of its interval.
pub(super) fn coverage(of: &Calibration, style: &Style) -> Drawing {
    let title = "How often intervals cover the truth";
    let mut page = Page::new(style, title);
    let groups = of.groups();
    let names: Vec<String> = groups.iter().map(|group| group.name()).collect();
    let (least, most) = (of.level - TOLERANCE, of.level + TOLERANCE);
    let shares = of.coverages.iter().map(Coverage::share);
    let axis = Axis::linear(shares.chain([least - TOLERANCE, (most + TOLERANCE).min(1.0)]));
    let entries: Vec<Entry> = (SERIES.iter())
        .filter(|(judgement, ..)| of.coverages.iter().any(|of| of.judgement == *judgement))
        .map(|(_, series, words)| (Swatch::Marker(*series), (*words).to_owned()))
        .collect();
    let place = page.row(1, style.panel)[0];
    let frame = panel::draw(
        page.canvas(),
        style,
        place,
        &Panel {
            title: "",
            legend: &entries,
            horizontal: Horizontal::Names(&names),
            vertical: axis,
            vertical_title: "share of intervals that hold the truth",
        },
    );
    let canvas = page.canvas();
    let band = Rect {
        left: frame.plot.left,
        right: frame.plot.right,
        top: frame.y(most),
        bottom: frame.y(least),
    };
    canvas.fill(band, style::ink(0).with_alpha(0.12));
    frame.reference(canvas, style, of.level);
    let mut plotted = Plotted::new(&[
        "kind",
        "cell",
        "subject",
        "measure",
        "coverage",
        "judgement",
    ]);
    for (place, group) in groups.iter().enumerate() {
        let all: Vec<&Coverage> = of.group(*group).collect();
        for (index, coverage) in all.iter().enumerate() {
            let across = (index as f64 + 0.5) / all.len() as f64 - 0.5;
            let x = frame.category(place) + 0.8 * across * frame.band();
            let (_, series, _) = SERIES[coverage.judgement as usize];
            let at = (x, frame.y(coverage.share()));
            style::marker(canvas, series, at, 0.22 * style.text, style::ink(series));
            let name = &coverage.name;
            plotted.rows.push(vec![
                group.name(),
                name.cell.clone(),
                name.subject.clone(),
                name.measure.clone(),
                raw(coverage.share()),
                coverage.judgement.name().to_owned(),
            ]);
        }
    }
    let caption = format!(
        "{} Band: within {} of the level. Nominal: the 99.9 % interval of the coverage reaches into the band.",
        provenance(of),
        points(TOLERANCE)
    );
    let explanation = "Each mark is one statistic of one measure in one cell, or one paired difference; within a column they are in the order of the table.";
    page.finish(title.to_owned(), &caption, explanation, plotted, Vec::new())
}

/// Opacity of an interval that holds the truth, in hundredths: it lies among many.
const HOLDS: u16 = 55;

/// A zip plot of the worst statistic of each kind (Morris, White and Crowther, "Using simulation studies to evaluate statistical methods",
/// Statistics in Medicine 2019, figure 5).
pub(super) fn zip(of: &Calibration, style: &Style) -> Drawing {
    let title = "The intervals that cover worst, sorted by how far the truth is from their middle";
    let mut page = Page::new(style, title);
    page.legend(&[
        (
            Swatch::Band(0, HOLDS),
            "interval that holds the truth".to_owned(),
        ),
        (Swatch::Band(1, 100), "interval that misses it".to_owned()),
        (Swatch::Reference, "the truth, and the level".to_owned()),
    ]);
    let places = page.grid(of.zips.len(), 0, 0.72 * style.panel);
    let mut plotted = Plotted::new(&[
        "kind", "cell", "subject", "measure", "share", "value", "low", "high",
    ]);
    for (zip, place) in of.zips.iter().zip(places) {
        one(page.canvas(), style, place, of, zip, &mut plotted);
    }
    let shown = of
        .zips
        .iter()
        .map(|zip| zip.intervals.len())
        .max()
        .unwrap_or(0);
    let step = shown.div_ceil(LINES).max(1);
    let caption = format!(
        "{} Each panel: {} of the first {} repeats, the best centred at the bottom, the one that misses by most on top; if {} of them hold the truth, those above the dashed line are the ones that miss.",
        provenance(of),
        match step {
            1 => "the intervals".to_owned(),
            step => format!("one interval in {step}"),
        },
        grouped(shown as u64),
        about_percent(of.level)
    );
    let explanation = "A zip plot: intervals are sorted by the distance from estimate to truth in lengths of that side of the interval. Of true 95 % intervals the upper 5 % miss, half of them to each side; that misses lie on one side is what skewness does.";
    page.finish(title.to_owned(), &caption, explanation, plotted, Vec::new())
}

fn one(
    canvas: &mut Canvas,
    style: &Style,
    place: Rect,
    of: &Calibration,
    zip: &Zip,
    plotted: &mut Plotted,
) {
    let coverage = &of.coverages[zip.of];
    let name = &coverage.name;
    let step = zip.intervals.len().div_ceil(LINES).max(1);
    let shown: Vec<(f64, [f64; 3])> = (zip.intervals.iter().enumerate())
        .skip(step / 2)
        .step_by(step)
        .map(|(rank, interval)| ((rank as f64 + 0.5) / zip.intervals.len() as f64, *interval))
        .collect();
    // the most extreme ends would leave no room for the others
    let mut ends: Vec<f64> = (shown.iter())
        .flat_map(|(_, [_, low, high])| [*low, *high])
        .collect();
    ends.sort_by(f64::total_cmp);
    let kept = ends.len() / 200..ends.len() - ends.len() / 200;
    let words = format!(
        "{} of {}, {}: {}",
        coverage.group.name(),
        name.measure,
        name.subject,
        percent(coverage.share())
    );
    let frame = panel::draw(
        canvas,
        style,
        place,
        &Panel {
            title: &words,
            legend: &[],
            horizontal: Horizontal::Numbers(Below::new(
                Axis::linear(ends[kept].iter().copied().chain([coverage.truth])),
                "interval",
            )),
            vertical: Axis::exactly(0.0, 1.0),
            vertical_title: "share of intervals",
        },
    );
    for (share, [value, low, high]) in &shown {
        let missed = *high < coverage.truth || *low > coverage.truth;
        let ink = match missed {
            true => style::ink(1),
            false => style::ink(0).with_alpha(f64::from(HOLDS) / 100.0),
        };
        let y = frame.y(*share);
        canvas.line(vec![(frame.x(*low), y), (frame.x(*high), y)], ink, 0.45);
        plotted.rows.push(vec![
            coverage.group.name(),
            name.cell.clone(),
            name.subject.clone(),
            name.measure.clone(),
            raw(*share),
            raw(*value),
            raw_or_empty(Some(*low)),
            raw_or_empty(Some(*high)),
        ]);
    }
    let x = frame.x(coverage.truth);
    let (top, bottom) = (frame.plot.top, frame.plot.bottom);
    canvas.dashed(&[(x, top), (x, bottom)], panel::REFERENCE, style::TEXT, 0.7);
    frame.reference(canvas, style, of.level);
}
