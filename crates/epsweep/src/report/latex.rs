//! Tables in LaTeX, with the rules of booktabs and without any other package. They are set by pdfTeX as by the newer engines: what is not
//! plain text is written as a command.

use super::document::{Cell, Table};

/// A table in an environment of its own: caption above, rules of booktabs, numbers flush right.
pub fn table(table: &Table, caption: &str, label: &str) -> String {
    let columns: String = (table.header.iter())
        .map(|column| if column.number { 'r' } else { 'l' })
        .collect();
    let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
    let mut out = format!(
        "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{{}}}\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule\n",
        escape(caption),
        key(label)
    );
    out += &line(table.header.iter().map(|c| escape(&c.name)).collect());
    out += "    \\midrule\n";
    for row in &table.rows {
        out += &line(row.iter().map(entry).collect());
    }
    out + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n"
}

fn entry(cell: &Cell) -> String {
    let text = format!("{} {}", cell.text, cell.note);
    let text = escape(text.trim());
    // a bracket at the beginning of a line would be taken for an argument of the line break before it
    match text.starts_with(['[', '*']) {
        true => format!("{{}}{text}"),
        false => text,
    }
}

/// The characters of a label that are safe in one.
fn key(text: &str) -> String {
    let safe = |c: char| match c.is_ascii_alphanumeric() || ":-.".contains(c) {
        true => c,
        false => '-',
    };
    text.chars().map(safe).collect()
}

/// Takes the meaning from characters that LaTeX would give one, and writes those that pdfTeX does not know as commands. Letters of other
/// scripts than the Greek stay as they are.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(digit) = superscript(c) {
            let mut power = String::from(digit);
            while let Some(digit) = chars.peek().copied().and_then(superscript) {
                power.push(digit);
                chars.next();
            }
            out += &format!("$^{{{power}}}$");
            continue;
        }
        match command(c) {
            Some(command) => out += command,
            None if c.is_control() => out.push(' '),
            None => out.push(c),
        }
    }
    out
}

fn superscript(c: char) -> Option<char> {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    match c {
        '⁻' => Some('-'),
        _ => {
            let digit = DIGITS.chars().position(|known| known == c)?;
            char::from_digit(digit as u32, 10)
        }
    }
}

/// How a character is written that cannot stand as it is.
fn command(c: char) -> Option<&'static str> {
    Some(match c {
        '\\' => "\\textbackslash{}",
        '{' => "\\{",
        '}' => "\\}",
        '$' => "\\$",
        '&' => "\\&",
        '#' => "\\#",
        '%' => "\\%",
        '_' => "\\_",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        '<' => "$<$",
        '>' => "$>$",
        '|' => "$|$",
        '"' => "''",
        '`' => "\\textasciigrave{}",
        '−' => "$-$",
        '±' => "$\\pm$",
        '×' => "$\\times$",
        '·' => "$\\cdot$",
        '∞' => "$\\infty$",
        '≤' => "$\\le$",
        '≥' => "$\\ge$",
        '≠' => "$\\ne$",
        '≈' => "$\\approx$",
        '∝' => "$\\propto$",
        '√' => "$\\surd$",
        '∈' => "$\\in$",
        '→' => "$\\to$",
        '½' => "$\\frac12$",
        '⅓' => "$\\frac13$",
        '⅔' => "$\\frac23$",
        '¼' => "$\\frac14$",
        '¾' => "$\\frac34$",
        '′' => "$'$",
        '″' => "$''$",
        '‖' => "$\\|$",
        'ℓ' => "$\\ell$",
        '∂' => "$\\partial$",
        '∑' => "$\\sum$",
        '∛' => "$\\sqrt[3]{\\,}$",
        '←' => "$\\gets$",
        '⌊' => "$\\lfloor$",
        '⌋' => "$\\rfloor$",
        '⌈' => "$\\lceil$",
        '⌉' => "$\\rceil$",
        '…' => "\\dots{}",
        '“' => "``",
        '”' => "''",
        '‘' => "`",
        '’' => "'",
        '–' => "--",
        '—' => "---",
        '\u{202f}' | '\u{2009}' => "\\,",
        '\u{a0}' => "~",
        '₀' => "$_0$",
        '₁' => "$_1$",
        '₂' => "$_2$",
        '₃' => "$_3$",
        '₄' => "$_4$",
        '₅' => "$_5$",
        '₆' => "$_6$",
        '₇' => "$_7$",
        '₈' => "$_8$",
        '₉' => "$_9$",
        '₊' => "$_+$",
        'ₛ' => "$_s$",
        'ⱼ' => "$_j$",
        'ᵀ' => "$^T$",
        'ᵏ' => "$^k$",
        'ⁱ' => "$^i$",
        'ₖ' => "$_k$",
        'ᵢ' => "$_i$",
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'γ' => "$\\gamma$",
        'δ' => "$\\delta$",
        'ε' => "$\\varepsilon$",
        'ζ' => "$\\zeta$",
        'η' => "$\\eta$",
        'θ' => "$\\theta$",
        'κ' => "$\\kappa$",
        'λ' => "$\\lambda$",
        'μ' | 'µ' => "$\\mu$",
        'ν' => "$\\nu$",
        'ξ' => "$\\xi$",
        'π' => "$\\pi$",
        'ρ' => "$\\rho$",
        'σ' => "$\\sigma$",
        'τ' => "$\\tau$",
        'φ' => "$\\varphi$",
        'χ' => "$\\chi$",
        'ψ' => "$\\psi$",
        'ω' => "$\\omega$",
        'Γ' => "$\\Gamma$",
        'Δ' => "$\\Delta$",
        'Θ' => "$\\Theta$",
        'Λ' => "$\\Lambda$",
        'Π' => "$\\Pi$",
        'Σ' => "$\\Sigma$",
        'Φ' => "$\\Phi$",
        'Ψ' => "$\\Psi$",
        'Ω' => "$\\Omega$",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lose_their_meaning() {
        assert_eq!(
            escape(r#"50 % of $a_b & c#1 {x} ^2 ~ \n <b> "q""#),
            r"50 \% of \$a\_b \& c\#1 \{x\} \textasciicircum{}2 \textasciitilde{} \textbackslash{}n $<$b$>$ ''q''"
        );
        assert_eq!(
            escape("(1.234 ± 0.010)×10⁻¹² ≤ √w·Δ, ε = ∞, é"),
            r"(1.234 $\pm$ 0.010)$\times$10$^{-12}$ $\le$ $\surd$w$\cdot$$\Delta$, $\varepsilon$ = $\infty$, é"
        );
        assert_eq!(key("a_b {c}"), "a-b--c-");
    }

    /// Letters with accents are set by every LaTeX; of everything else that our own texts and files have, a command is known.
    #[test]
    fn no_sign_of_the_shipped_experiments_is_unknown_to_latex() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let mut signs = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            for c in std::fs::read_to_string(&path).unwrap().chars() {
                let set = matches!(c, '\u{a7}' | '\u{c0}'..='\u{17f}') || superscript(c).is_some();
                assert!(
                    c.is_ascii() || set || command(c).is_some(),
                    "{c} in {}",
                    path.display()
                );
                signs += usize::from(!c.is_ascii());
            }
        }
        assert!(signs > 100);
    }

    #[test]
    fn a_bracket_is_no_argument_of_the_line_before() {
        let mut shown = Table::new("", &["share", "#value"]);
        shown.rows.push(vec!["[0, 10)".into(), "1".into()]);
        let text = table(&shown, "A caption, 5 %", "tab:x");
        assert!(text.contains("    {}[0, 10) & 1 \\\\\n"), "{text}");
        assert!(text.contains("\\caption{A caption, 5 \\%}\n  \\label{tab:x}\n"));
        assert!(text.contains(
            "\\begin{tabular}{lr}\n    \\toprule\n    share & value \\\\\n    \\midrule\n"
        ));
    }
}
