//! What selections, streams, trainings and compositions name.

use super::Entry;
use crate::config::mechanisms;
use crate::config::number::label;
use crate::config::schema::{parameters_of_loss, settable};
use epsweep_core::about::About;
use epsweep_core::stream::parameter::{Parameter, Range};
use epsweep_core::stream::policy::Nature;
use epsweep_core::stream::{Standing, gate, policy, sequence};
use epsweep_core::training::schedule;
use epsweep_core::{accounting, selection};

pub(super) fn mechanisms() -> Vec<Entry> {
    let of = |about: &'static About, slots: &str| {
        let example = format!(
            "[procedure.select]\nscores = [9, 4, 7]\nsensitivity = 1\nmechanism = \"{}\"\n{slots}",
            about.name
        );
        Entry::plain(about, example)
    };
    let one = selection::REGISTRY.iter().map(|one| of(one.about(), ""));
    let several = selection::top_k::REGISTRY.iter();
    one.chain(several.map(|several| of(several.about(), "k = 2\n")))
        .collect()
}

pub(super) fn gates() -> Vec<Entry> {
    let of = |gate: &&dyn epsweep_core::stream::Gate| {
        let about = gate.about();
        let (control, notes) = match gate.standing() {
            Standing::Broken(why) => (
                ", control = true",
                vec![format!(
                    "Broken: {why}. It is a control, and needs control = true."
                )],
            ),
            _ => ("", Vec::new()),
        };
        let example = format!(
            "[procedure.stream]\nanswers = [6, 14, 8, 12]\nsensitivity = 1\ngate = {{ name = \"{}\", c = 1, threshold = 10{control} }}\n",
            about.name
        );
        Entry {
            notes,
            ..Entry::plain(about, example)
        }
    };
    gate::REGISTRY.iter().map(of).collect()
}

/// A value for each parameter: its default, or one in its range.
fn values(parameters: &[Parameter]) -> String {
    let value = |parameter: &Parameter| match (parameter.default, parameter.range) {
        (Some(default), _) => default,
        (None, Range::Open) => 0.1,
        (None, _) => 1.0,
    };
    (parameters.iter())
        .map(|parameter| format!(", {} = {}", parameter.name, label(value(parameter))))
        .collect()
}

pub(super) fn policies() -> Vec<Entry> {
    let of = |family: &&'static policy::Family| {
        let (controls, notes) = match family.nature {
            Nature::Oracle => (
                "controls = true\n",
                vec!["A control: it is not private, and needs controls = true.".to_owned()],
            ),
            _ => ("", Vec::new()),
        };
        let example = format!(
            "[procedure.stream]\nsequence = \"bursty\"\npositions = 64\nsensitivity = 1\nthreshold = 100\n{controls}policy = {{ name = \"{}\"{} }}\n",
            family.about.name,
            values(family.parameters)
        );
        Entry {
            keys: settable(family.parameters),
            notes,
            ..Entry::plain(&family.about, example)
        }
    };
    policy::REGISTRY.iter().map(of).collect()
}

pub(super) fn sequences() -> Vec<Entry> {
    let of = |sequence: &&'static dyn sequence::Sequence| {
        let about = sequence.about();
        let example = format!(
            "[procedure.stream]\nsequence = {{ name = \"{}\"{} }}\npositions = 64\nseed = 1\nsensitivity = 1\npolicy = \"even\"\n",
            about.name,
            values(sequence.parameters())
        );
        Entry {
            keys: settable(sequence.parameters()),
            ..Entry::plain(about, example)
        }
    };
    sequence::REGISTRY.iter().map(of).collect()
}

pub(super) fn schedules() -> Vec<Entry> {
    let of = |schedule: &&'static dyn schedule::Schedule| {
        let about = schedule.about();
        let form = match schedule.ratio() {
            Some(ratio) => format!("{{ name = \"{}\", ratio = {} }}", about.name, label(ratio)),
            None => format!("\"{}\"", about.name),
        };
        let example = format!(
            "[procedure.train]\nmodel = \"logistic\"\ngenerated = {{ records = 1000, features = 5 }}\nsteps = 20\nrate = 1\nclip = 1\nschedule = {form}\n"
        );
        Entry::plain(about, example)
    };
    schedule::REGISTRY.iter().map(of).collect()
}

pub(super) fn accountants() -> Vec<Entry> {
    let of = |accountant: &&'static dyn accounting::Accountant| {
        let about = accountant.about();
        let example = format!(
            "[budget]\ndelta = 1e-6\n\n[procedure.compose]\naccountant = \"{}\"\nrelease = {{ laplace = 0.1 }}\nk = 100\n",
            about.name
        );
        Entry::plain(about, example)
    };
    accounting::REGISTRY.iter().map(of).collect()
}

pub(super) fn losses() -> Vec<Entry> {
    let of = |kind: &'static mechanisms::Kind| {
        let number = |parameter: &str| match parameter {
            "delta" => "1e-7",
            "probability" => "0.01",
            "noise" => "5",
            _ => "0.1",
        };
        let given = match kind.parameters {
            [parameter] => number(parameter).to_owned(),
            several => {
                let each = several
                    .iter()
                    .map(|name| format!("{name} = {}", number(name)));
                format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
            }
        };
        let example = format!(
            "[budget]\ndelta = 1e-6\n\n[procedure.compose]\naccountant = \"rdp\"\nrelease = {{ {} = {given}, count = 100 }}\n",
            kind.about.name
        );
        Entry {
            keys: parameters_of_loss(kind),
            ..Entry::plain(kind.about, example)
        }
    };
    mechanisms::KINDS.iter().map(of).collect()
}
