//! Faults of figures.

use super::*;

#[test]
fn figures_are_checked() {
    let end = "baseline = { allocation = \"even\" }";
    let with = |figure: &str| format!("{end}\n[[figure]]\n{figure}");
    fault(
        end,
        &with("kind = \"bxo\""),
        "\"bxo\"",
        "did you mean `box`",
    );
    fault(
        end,
        &with("name = \"a\""),
        "[[figure]]",
        "lacks the key `kind`",
    );
    fault(
        end,
        &with("kind = \"box\"\nname = \"a/b\""),
        "\"a/b\"",
        "cannot name a file",
    );
    fault(
        end,
        &with("kind = \"box\"\nmeasure = \"rmes\""),
        "\"rmes\"",
        "did you mean `rmse`",
    );
    fault(
        end,
        &with("kind = \"box\"\nsize = \"A4\""),
        "\"A4\"",
        "one-column",
    );
    fault(
        end,
        &with("kind = \"box\"\nscale = \"lgo\""),
        "\"lgo\"",
        "linear, log",
    );
    fault(
        end,
        &with("kind = \"box\"\ncells = { epsilon = [1, 3] }"),
        "3] }",
        "no value `3`",
    );
    fault(
        end,
        &with("kind = \"box\"\ncells = { epsilom = 1 }"),
        "epsilom",
        "did you mean `epsilon`",
    );
    fault(
        end,
        &with("kind = \"box\"\nname = \"a\"\n[[figure]]\nkind = \"bars\"\nname = \"a\"\n#"),
        "\"a\"\n#",
        "there twice",
    );
}

#[test]
fn keys_of_figures_go_with_their_kind() {
    let end = "baseline = { allocation = \"even\" }";
    let with = |figure: &str| format!("{end}\n[[figure]]\n{figure}");
    for (figure, place, message) in [
        (
            "kind = \"bars\"\naxes = [\"epsilon\"]",
            "[\"epsilon\"]",
            "kind = \"nested-loop\"",
        ),
        (
            "kind = \"bars\"\nshow = \"relative\"",
            "\"relative\"",
            "nothing that the figure `bars` has",
        ),
        (
            "kind = \"differences\"\nshow = \"regret\"",
            "\"regret\"",
            "absolute, relative",
        ),
        (
            "kind = \"nested-loop\"\naxes = [\"epsilom\"]",
            "\"epsilom\"",
            "did you mean `epsilon`",
        ),
        (
            "kind = \"nested-loop\"\naxes = [\"epsilon\", \"epsilon\" ]",
            "\"epsilon\" ]",
            "there twice",
        ),
        (
            "kind = \"heat-map\"\nstatistics = []",
            "[]",
            "the list of statistics is empty",
        ),
        (
            "kind = \"nested-loop\"\naxes = []",
            "[]",
            "leave the key out",
        ),
        (
            "kind = \"pareto\"\nsubjects = [\"mean agee\"]",
            "\"mean agee\"",
            "did you mean `mean age`",
        ),
        (
            "kind = \"bars\"\nmeasure = \"rmse\"\nsubjects = [\"mean age\" ]",
            "[\"mean age\" ]",
            "of all queries together",
        ),
        (
            "kind = \"bars\"\nmeasure = \"abs_error\"\nsubjects = [\"mean age\", \"all\" ]",
            "[\"mean age\", \"all\" ]",
            "`abs_error` is of single numbers, and not of `all`",
        ),
        (
            "kind = \"bars\"\nlanguage = \"klingon\"",
            "\"klingon\"",
            "en, de, fr, zh",
        ),
        (
            "kind = \"bars\"\nfonts = [\"README.md\"]",
            "\"README.md\"",
            "is not a font",
        ),
        (
            "kind = \"bars\"\nfonts = [\"none.ttf\"]",
            "\"none.ttf\"",
            "cannot be read",
        ),
    ] {
        fault(end, &with(figure), place, message);
    }
    let figure = "[[figure]]\nkind = \"win-rates\"";
    fault(
        &format!("[compare]\n{end}"),
        figure,
        "[[figure]]",
        "cells are not compared",
    );
}

#[test]
fn what_makes_a_figure_impossible_is_said_before_the_run() {
    let end = "baseline = { allocation = \"even\" }";
    let with = |figure: &str| format!("{end}\n[[figure]]\n{figure}");
    for (figure, place, message) in [
        (
            "kind = \"error-epsilon\"\ncells = { epsilon = 1 }",
            "{ epsilon = 1 }",
            "with at least two numbers of `epsilon`",
        ),
        (
            "kind = \"bias-variance\"\ncells = { epsilon = [1, 1] }",
            "{ epsilon = [1, 1] }",
            "its `cells` leave one number",
        ),
        (
            "kind = \"article-panel\"\ncells = { epsilon = 1, allocation = \"even\" }",
            "{ epsilon = 1, allocation = \"even\" }",
            "compares two cells, and its `cells` leave one",
        ),
        ("kind = \"odometer\"", "[[figure]]", "`spent_so_far`"),
        (
            "kind = \"gate-curves\"",
            "[[figure]]",
            "a stream with a gate",
        ),
        (
            "kind = \"gate-curves\"\nmeasure = \"rmse\"",
            "[[figure]]",
            "a stream with a gate",
        ),
        ("kind = \"gate-privacy\"", "[[figure]]", "`wrong_answers`"),
        (
            "kind = \"error-by-position\"",
            "[[figure]]",
            "`stream_error`",
        ),
        (
            "kind = \"choice-probabilities\"",
            "[[figure]]",
            "a selection",
        ),
        ("kind = \"loss-steps\"", "[[figure]]", "a training"),
        (
            "kind = \"bars\"\nname = \"dup\"\n[[figure]]\nkind = \"bars\"\nname = \"DUP\"",
            "\"DUP\"",
            "would be the same on some systems",
        ),
        (
            "kind = \"article-panel\"\nsubjects = [\"mean age\" ]",
            "[\"mean age\" ]",
            "of all queries together",
        ),
    ] {
        fault(end, &with(figure), place, message);
    }
    for figure in [
        "kind = \"bars\"\ncells = { epsilon = 1 }",
        "kind = \"bars\"\nmeasure = \"rmse\"\nsubjects = [\"all\"]",
        "kind = \"bars\"\n[[figure]]\nkind = \"bars\"",
        "kind = \"pareto\"\nsubjects = [\"mean age\"]\nmeasure = \"abs_error\"",
        "kind = \"heat-map\"\nstatistics = [\"abs_error.mean\"]\nsubjects = [\"mean age\"]",
    ] {
        valid(&changed(end, &with(figure)));
    }
    // this kind chooses a measure of each query by itself
    let measures = "trials = 1000\nmeasures = [\"answer\", \"error\", \"abs_error\", \"max_abs_error\", \"rmse\"]";
    let figure = "kind = \"bias-variance\"\nsubjects = [\"mean age\"]";
    valid(&changed(end, &with(figure)).replace("trials = 1000", measures));
}

#[test]
fn convergence_needs_cells_that_are_kept() {
    let epsilons: Vec<String> = (1..=129).map(|i| i.to_string()).collect();
    let from = "epsilon = [0.1, 1]";
    let many = format!("epsilon = [{}]", epsilons.join(", "));
    let figure = "[[figure]]\nkind = \"convergence\"\nmeasure = \"abs_error\"\n";
    let to = format!("{many}\nallocation = [\"even\", \"proportional\"]\n{figure}#");
    let end = "allocation = [\"even\", \"optimal-mse\"]\n[compare]\nbaseline = { allocation = \"even\" }\n";
    let whole = format!("{from}\n{end}");
    fault(&whole, &to, "[[figure]]", "at most 256 cells");
    let few = to.replace(", 129]", "]");
    valid(&changed(&whole, &few));
    // with a target all cells are kept
    let target = "trials = { precision = { relative = 0.1, measure = \"abs_error\" } }";
    valid(&changed(&whole, &to).replace("trials = 1000", target));
}
