//! From text to tokens.

use super::PredicateError;
use super::tree::Operator;
use std::ops::Range;

/// A word of the language.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// a bare word that is no keyword
    Name(String),
    /// a name in backticks
    Backticked(String),
    /// text in single or double quotes
    Quoted(String),
    Number(f64),
    Operator(Operator),
    And,
    Or,
    Not,
    In,
    Between,
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    Comma,
}

/// A token with its bytes in the text.
#[derive(Clone, Debug)]
pub(super) struct Spanned {
    pub(super) token: Token,
    pub(super) span: Range<usize>,
}

/// Whether the name can be written without backticks.
pub(super) fn is_bare_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(starts_name)
        && characters.all(continues_name)
        && keyword(name).is_none()
}

fn starts_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '.'
}

fn keyword(word: &str) -> Option<Token> {
    // keywords are ASCII, so other letters need no folding
    match word.to_ascii_lowercase().as_str() {
        "and" => Some(Token::And),
        "or" => Some(Token::Or),
        "not" => Some(Token::Not),
        "in" => Some(Token::In),
        "between" => Some(Token::Between),
        _ => None,
    }
}

/// What people coming from elsewhere write, and what it is called here.
const FOREIGN: &[(&str, &str)] = &[
    ("<>", "write != for `is not`"),
    ("=<", "write <="),
    ("=>", "write >="),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("!", "write `not`, or != for `is not`"),
];

const SYMBOLS: &[(&str, Token)] = &[
    ("==", Token::Operator(Operator::Equal)),
    ("!=", Token::Operator(Operator::NotEqual)),
    ("<=", Token::Operator(Operator::AtMost)),
    (">=", Token::Operator(Operator::AtLeast)),
    ("≠", Token::Operator(Operator::NotEqual)),
    ("≤", Token::Operator(Operator::AtMost)),
    ("≥", Token::Operator(Operator::AtLeast)),
    ("=", Token::Operator(Operator::Equal)),
    ("<", Token::Operator(Operator::Below)),
    (">", Token::Operator(Operator::Above)),
    ("(", Token::OpenParenthesis),
    (")", Token::CloseParenthesis),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    (",", Token::Comma),
];

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Spanned>, PredicateError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (token, length) = if matches!(character, '\'' | '"' | '`') {
            quoted(rest, at, character)?
        } else if starts_name(character) {
            let length = rest
                .find(|next| !continues_name(next))
                .unwrap_or(rest.len());
            let word = &rest[..length];
            (
                keyword(word).unwrap_or_else(|| Token::Name(word.to_owned())),
                length,
            )
        } else if character.is_ascii_digit() || matches!(character, '.' | '+' | '-' | '−') {
            number(rest, at)?
        } else {
            symbol(rest, at, character)?
        };
        found.push(Spanned {
            token,
            span: at..at + length,
        });
        at += length;
    }
    Ok(found)
}

/// A quoted text or name; inside, the quote is doubled.
fn quoted(rest: &str, at: usize, quote: char) -> Result<(Token, usize), PredicateError> {
    let mut content = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((offset, character)) = characters.next() {
        if character != quote {
            content.push(character);
        } else if characters.peek().is_some_and(|&(_, next)| next == quote) {
            content.push(quote);
            characters.next();
        } else {
            let token = if quote == '`' {
                Token::Backticked(content)
            } else {
                Token::Quoted(content)
            };
            return Ok((token, offset + 1));
        }
    }
    Err(PredicateError {
        message: format!("the quote {quote} is not closed"),
        span: at..at + rest.len(),
        help: Some(format!(
            "end it with {quote}; a {quote} inside is written twice"
        )),
    })
}

fn number(rest: &str, at: usize) -> Result<(Token, usize), PredicateError> {
    let mut before = ' ';
    let length = rest
        .find(|character: char| {
            let sign = matches!(character, '+' | '-' | '−') && matches!(before, ' ' | 'e' | 'E');
            let inside = sign || continues_name(character);
            before = character;
            !inside
        })
        .unwrap_or(rest.len());
    let text = &rest[..length];
    let refused = |message: String, help: &str| PredicateError {
        message,
        span: at..at + length,
        help: Some(help.to_owned()),
    };
    let form = "write it like 60, -1.5 or 2e3, without separators and units; a name that begins with a digit goes into backticks";
    // `parse` also reads words such as `inf`, which have no digit
    match text.replace('−', "-").parse::<f64>() {
        Ok(value)
            if value.is_finite() && text.contains(|character: char| character.is_ascii_digit()) =>
        {
            // adding 0 turns −0 into 0
            Ok((Token::Number(value + 0.0), length))
        }
        Ok(value)
            if value.is_infinite()
                && text.contains(|character: char| character.is_ascii_digit()) =>
        {
            Err(refused(
                format!("the number {text} is beyond the largest double"),
                "use a smaller one",
            ))
        }
        _ => Err(refused(format!("`{text}` is not a number"), form)),
    }
}

fn symbol(rest: &str, at: usize, character: char) -> Result<(Token, usize), PredicateError> {
    // longest first, so that `!=` is not taken for a foreign `!`
    let native = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol));
    let foreign = FOREIGN.iter().find(|(symbol, _)| rest.starts_with(symbol));
    match (native, foreign) {
        (Some((symbol, token)), other)
            if other.is_none_or(|(longer, _)| longer.len() <= symbol.len()) =>
        {
            Ok((token.clone(), symbol.len()))
        }
        (_, Some((symbol, help))) => Err(PredicateError {
            message: format!("`{symbol}` is not part of the language"),
            span: at..at + symbol.len(),
            help: Some((*help).to_owned()),
        }),
        _ => Err(PredicateError {
            message: format!("the character {character:?} is not part of the language"),
            span: at..at + character.len_utf8(),
            help: Some(
                "put text into quotes, and names with unusual characters into backticks".to_owned(),
            ),
        }),
    }
}
