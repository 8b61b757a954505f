//! What an audit file can say, as data: see [`config::schema`](crate::config::schema).

use super::command;
use crate::config::schema::{
    ANY, Key, OPEN, POSITIVE, Shape, key, kinds, list, need, parameters, table, whole, words,
};
use crate::config::settings;
use epsweep_core::audit::{Verdict, reading, subject};

/// All that an audit file can say.
pub fn shape() -> Shape {
    let mut mechanisms =
        kinds((subject::REGISTRY.iter()).map(|kind| (kind.about(), parameters(kind.parameters()))));
    mechanisms.extend(kinds([(&command::ABOUT, command_keys())]));
    let side = || Shape::Either(vec![list(ANY), Shape::Text]);
    let pair = vec![
        need("a", side(), "one input, or the file that holds it"),
        need("b", side(), "another that differs in one record"),
    ];
    table(vec![
        need(
            "name",
            Shape::Text,
            "names the audit: letters, digits, `-` and `_`",
        ),
        key("title", Shape::Text, "headline; the name without it"),
        key("question", Shape::Text, "the question in a sentence"),
        key(
            "seed",
            whole(0),
            &format!("seed of all draws; {} without it", settings::SEED),
        ),
        key(
            "trials",
            Shape::Whole(16, settings::MOST_TRIALS),
            "runs on each input: half choose the event, half count it; 1000000 without it",
        ),
        key("level", OPEN, "confidence of the bound; 0.95 without it"),
        need(
            "mechanism",
            table(mechanisms),
            "what is audited: exactly one section",
        ),
        key(
            "pair",
            table(pair),
            "the inputs; without it the worst of the mechanism's own candidates",
        ),
        need("claim", table(claim()), "what is promised"),
    ])
}

/// `[mechanism.command]`.
pub fn command_keys() -> Vec<Key> {
    let form = words(&[
        ("numbers", "one or several numbers a line (the default)"),
        ("text", "a line as a whole"),
    ]);
    vec![
        need(
            "run",
            list(Shape::Text),
            "the program and its arguments; {input}, {runs} and {seed} are replaced",
        ),
        key("output", form, "what it prints"),
        key(
            "timeout",
            POSITIVE,
            "seconds for each process; 60 without it",
        ),
    ]
}

fn claim() -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for kind in reading::REGISTRY {
        for name in kind.keys() {
            if keys.iter().all(|known| known.name != *name) {
                keys.push(key(name, ANY, kind.about().summary));
            }
        }
    }
    let verdicts = [Verdict::Violated, Verdict::Consistent, Verdict::NoPower];
    let verdicts = verdicts.map(|verdict| (verdict.name(), ""));
    keys.push(key(
        "deployment",
        Shape::Flag,
        "whether the claim is about the doubles that are released",
    ));
    keys.push(key(
        "verdict",
        words(&verdicts),
        "what is expected to come out",
    ));
    keys
}
