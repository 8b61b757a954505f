//! Files to start from: one for each common question, commented and ready to run.
//!
//! To add one: a file in `templates/`, and a line in [`ALL`]. A test checks and runs each.

mod split;

use crate::config::number::label;
use crate::config::value::quoted;
use std::path::Path;

/// A file to start from.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// its name
    pub name: &'static str,
    /// the question that it answers, in one line
    pub summary: &'static str,
    /// whether it is an audit rather than an experiment
    pub audit: bool,
    /// whether it can be about a file of records
    pub takes_data: bool,
    text: &'static str,
}

macro_rules! template {
    ($name:literal, $summary:literal) => {
        Template {
            name: $name,
            summary: $summary,
            audit: false,
            takes_data: false,
            text: include_str!(concat!("../../templates/", $name, ".toml")),
        }
    };
}

/// All of them; the first is taken where none is named.
pub const ALL: &[Template] = &[
    Template {
        takes_data: true,
        ..template!(
            "split",
            "mean and sum of a column, count by category: errors at each ε, and four ways to divide it (takes --data)"
        )
    },
    template!(
        "noise",
        "which noise has the smallest errors at the same (ε, δ)"
    ),
    template!(
        "select",
        "how often the best candidate is chosen, and by which mechanism"
    ),
    template!("gate", "alarms from a stream: how many are false or missed"),
    template!("policy", "how to spend a budget along a stream of values"),
    template!("train", "accuracy of a privately trained model at each ε"),
    template!(
        "clip",
        "a clipping bound chosen privately, then a sum and a count"
    ),
    template!(
        "compose",
        "what k releases cost together, by every accountant"
    ),
    template!("claim", "whether what somebody says of an analysis is true"),
    Template {
        audit: true,
        ..template!("audit", "how private a mechanism or a program really is")
    },
];

/// The template of that name.
pub fn named(name: &str) -> Option<&'static Template> {
    ALL.iter().find(|template| template.name == name)
}

/// What a template is filled with.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// name of the experiment
    pub name: String,
    /// path of the file, as a command line writes it
    pub file: String,
    /// whether the schema for editors lies beside the file
    pub schema: bool,
    /// the records, where they are not generated
    pub records: Option<Records>,
}

/// A file of records, and what is asked of it.
#[derive(Clone, Debug)]
pub struct Records {
    /// the path, relative to the experiment file
    pub path: String,
    /// the column of numbers, if there is one; at least one of the two columns is there
    pub column: Option<String>,
    /// its bounds, if they have been declared
    pub bounds: Option<[f64; 2]>,
    /// the column of categories, if there is one
    pub category: Option<String>,
    /// the categories, if they have been declared
    pub groups: Option<Vec<String>>,
    /// columns that name or weigh the records
    pub about_records: Vec<String>,
}

/// The line by which editors know the schema.
pub const SCHEMA_FILE: &str = "epsweep.schema.json";

impl Template {
    /// The text of a file, with everything filled in.
    pub fn fill(&self, filling: &Filling) -> String {
        let schema = match filling.schema {
            true => format!("#:schema ./{SCHEMA_FILE}"),
            false => format!(
                "# Editors complete and check this file (taplo, Even Better TOML) after `epsweep schema > {SCHEMA_FILE}`,\n\
                 # with this as the first line:  #:schema ./{SCHEMA_FILE}"
            ),
        };
        let generated = filling.records.is_none();
        let records = filling.records.clone().unwrap_or_else(census);
        let places = [
            ("schema", schema),
            ("name", filling.name.clone()),
            ("file", filling.file.clone()),
            ("what", what(&records, generated)),
            ("data", source(&records, generated)),
            ("columns", columns(&records, generated)),
        ];
        let asked = split::places(&records);
        let places = places.into_iter().chain(asked);
        let mut text = self.text.to_owned();
        for (place, filled) in places {
            text = text.replace(&format!("{{{{{place}}}}}"), &filled);
        }
        text
    }
}

/// What is generated where there is no file.
fn census() -> Records {
    let educations = [
        "below high school",
        "high school",
        "some college",
        "associate",
        "bachelor",
        "graduate",
    ];
    Records {
        path: String::new(),
        column: Some("income".to_owned()),
        bounds: Some([0.0, 200_000.0]),
        category: Some("education".to_owned()),
        groups: Some(educations.map(str::to_owned).to_vec()),
        about_records: Vec::new(),
    }
}

fn what(records: &Records, generated: bool) -> String {
    match generated {
        true => "a generated census".to_owned(),
        // a comment ends with its line
        false => records.path.replace(['\n', '\r'], " "),
    }
}

fn source(records: &Records, generated: bool) -> String {
    match generated {
        true => "census = { rows = 1000, seed = 1 }   # generated; a file instead: csv = \"records.csv\"".to_owned(),
        false if Path::new(&records.path).is_absolute() => format!("csv = {}", quoted(&records.path)),
        false => format!("csv = {}   # relative to this file", quoted(&records.path)),
    }
}

fn columns(records: &Records, generated: bool) -> String {
    if generated {
        return "# those of the generated census have their public bounds already; for a file:\n\
                # income = { bounds = [0, 200000] }   # public knowledge: bounds taken from the data are not private\n\
                # education = { text = true }"
            .to_owned();
    }
    let key = crate::config::value::bare_or_quoted;
    let warning = "\
# Bounds are public knowledge (a code book, a law, a guess made before looking); values outside are clipped, and the number clipped is
# reported. BOUNDS TAKEN FROM THE DATA ARE NOT PRIVATE: the least and the largest value tell of single people.";
    let number = (records.column.iter()).map(|column| match records.bounds {
        Some([low, high]) => format!(
            "{warning}\n{} = {{ bounds = [{}, {}] }}",
            key(column),
            label(low),
            label(high)
        ),
        None => format!(
            "{warning}\n# Declare them here, knowingly: two numbers in place of the words.\n{} = {{ bounds = [\"LOW\", \"HIGH\"] }}",
            key(column)
        ),
    });
    let text =
        (records.category.iter()).map(|category| format!("{} = {{ text = true }}", key(category)));
    let mut lines = number.chain(text).collect::<Vec<_>>().join("\n");
    for column in &records.about_records {
        lines += &format!(
            "\n# {}   names or weighs the records, and says nothing of them: left out",
            key(column).replace(['\n', '\r'], " ")
        );
    }
    lines
}
