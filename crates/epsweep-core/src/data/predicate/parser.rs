//! From tokens to the tree.

use super::lexer::{self, Spanned, Token};
use super::tree::{Comparison, Expression, Literal, Operator, Test};
use super::{Predicate, PredicateError};
use std::ops::Range;

/// Where columns are mentioned.
type Mentions = Vec<(String, Range<usize>)>;

pub(super) fn parse(text: &str) -> Result<(Expression, Mentions), PredicateError> {
    let mut parser = Parser {
        text,
        tokens: lexer::tokens(text)?,
        next: 0,
        depth: 0,
        mentions: Vec::new(),
    };
    if parser.tokens.is_empty() {
        return Err(PredicateError {
            message: "the predicate is empty".to_owned(),
            span: 0..text.len(),
            help: Some(
                "write a comparison such as age > 60, or leave it out to count all rows".to_owned(),
            ),
        });
    }
    let expression = parser.disjunction()?;
    if parser.next < parser.tokens.len() {
        return Err(parser.leftover());
    }
    Ok((expression, parser.mentions))
}

/// A side of a comparison.
#[derive(Debug)]
enum Operand {
    Column(String),
    /// a text, or the name of a column if the other side is a literal
    Quoted(String),
    Number(f64),
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Spanned>,
    next: usize,
    depth: usize,
    mentions: Mentions,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|spanned| &spanned.token)
    }

    /// Whether the next token is this one, which is then consumed.
    fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.next += 1;
        }
        found
    }

    /// The bytes of the next token, or the end of the text.
    fn here(&self) -> Range<usize> {
        match self.tokens.get(self.next) {
            Some(spanned) => spanned.span.clone(),
            None => self.text.len()..self.text.len(),
        }
    }

    fn spelling(&self) -> String {
        match self.tokens.get(self.next) {
            Some(spanned) => format!("`{}`", &self.text[spanned.span.clone()]),
            None => "the end".to_owned(),
        }
    }

    fn error(&self, message: impl Into<String>, help: &str) -> PredicateError {
        PredicateError {
            message: message.into(),
            span: self.here(),
            help: Some(help.to_owned()),
        }
    }

    fn leftover(&self) -> PredicateError {
        let help = match self.peek() {
            Some(Token::Operator(_)) => {
                "compare one pair at a time: 18 <= age and age < 65, or age between 18 and 65"
            }
            Some(Token::CloseParenthesis) => "remove it, or open a parenthesis before",
            Some(Token::Name(_)) => {
                "join comparisons by `and` or `or`; a name with spaces goes into backticks, text into quotes"
            }
            _ => "join comparisons by `and` or `or`",
        };
        self.error(
            format!("{} does not continue the predicate", self.spelling()),
            help,
        )
    }

    fn disjunction(&mut self) -> Result<Expression, PredicateError> {
        let mut parts = vec![self.conjunction()?];
        while self.take(&Token::Or) {
            parts.push(self.conjunction()?);
        }
        Ok(Expression::any(parts))
    }

    fn conjunction(&mut self) -> Result<Expression, PredicateError> {
        let mut parts = vec![self.negation()?];
        while self.take(&Token::And) {
            parts.push(self.negation()?);
        }
        Ok(Expression::all(parts))
    }

    fn negation(&mut self) -> Result<Expression, PredicateError> {
        let opens = matches!(self.peek(), Some(Token::Not | Token::OpenParenthesis));
        if !opens {
            return self.comparison().map(Expression::Comparison);
        }
        // the parser calls itself here only, so this bounds the stack
        if self.depth == Predicate::MAX_DEPTH {
            return Err(self.error(
                format!(
                    "parentheses and `not` are nested more than {} deep",
                    Predicate::MAX_DEPTH
                ),
                "remove those that are not needed",
            ));
        }
        self.depth += 1;
        let opening = self.here();
        let expression = if self.take(&Token::Not) {
            Expression::Not(Box::new(self.negation()?))
        } else {
            self.next += 1;
            let inner = self.disjunction()?;
            if !self.take(&Token::CloseParenthesis) {
                if self.peek().is_some() {
                    return Err(self.leftover());
                }
                return Err(PredicateError {
                    message: "the parenthesis is not closed".to_owned(),
                    span: opening,
                    help: Some("add the closing parenthesis".to_owned()),
                });
            }
            inner
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn comparison(&mut self) -> Result<Comparison, PredicateError> {
        let left_span = self.here();
        let left = self.operand("a comparison such as age > 60 is expected")?;
        match self.peek() {
            Some(&Token::Operator(operator)) => {
                self.next += 1;
                let right_span = self.here();
                let right = self.operand("the operator needs a column or a literal on its right")?;
                self.sides((left, left_span), operator, (right, right_span))
            }
            Some(Token::In) => {
                let column = self.tested((left, left_span))?;
                self.next += 1;
                let test = Test::In(self.list()?);
                Ok(Comparison { column, test })
            }
            Some(Token::Between) => {
                let column = self.tested((left, left_span))?;
                self.next += 1;
                let low = self.literal("`between` needs a literal after it")?;
                if !self.take(&Token::And) {
                    return Err(self.error(
                        format!("{} where `and` is expected", self.spelling()),
                        "write between LOW and HIGH; both ends are included",
                    ));
                }
                let high = self.literal("`between … and` needs a literal after it")?;
                Ok(Comparison { column, test: Test::Between(low, high) })
            }
            Some(Token::Not) => {
                Err(self.error("`not` stands before a comparison, not inside", "write not age in [1, 2]"))
            }
            _ => Err(self.error(
                format!("{} where an operator is expected", self.spelling()),
                "use one of = != < <= > >=, `in` or `between`; a name with spaces goes into backticks",
            )),
        }
    }

    /// Decides which side is the column.
    fn sides(
        &mut self,
        (left, left_span): (Operand, Range<usize>),
        operator: Operator,
        (right, right_span): (Operand, Range<usize>),
    ) -> Result<Comparison, PredicateError> {
        let (column, span, operator, literal) = match (left, right) {
            (Operand::Column(_), Operand::Column(name)) => {
                return Err(PredicateError {
                    message: "a column is compared with another column, but only literals are allowed there".to_owned(),
                    span: right_span,
                    help: Some(format!("if text is meant, put it into quotes: '{name}'")),
                });
            }
            (Operand::Number(_), Operand::Number(_)) => {
                return Err(PredicateError {
                    message: "a number is compared with a number".to_owned(),
                    span: left_span.start..right_span.end,
                    help: Some("name a column on one side; a name that looks like a number goes into backticks".to_owned()),
                });
            }
            (Operand::Column(name) | Operand::Quoted(name), Operand::Number(value)) => {
                (name, left_span, operator, Literal::Number(value))
            }
            // where both are quoted, the column is on the left
            (Operand::Column(name) | Operand::Quoted(name), Operand::Quoted(text)) => {
                (name, left_span, operator, Literal::Text(text))
            }
            (Operand::Number(value), Operand::Column(name) | Operand::Quoted(name)) => {
                (name, right_span, operator.flipped(), Literal::Number(value))
            }
            (Operand::Quoted(text), Operand::Column(name)) => {
                (name, right_span, operator.flipped(), Literal::Text(text))
            }
        };
        self.mentions.push((column.clone(), span));
        Ok(Comparison {
            column,
            test: Test::Compare(operator, literal),
        })
    }

    /// The column on the left of `in` or `between`.
    fn tested(
        &mut self,
        (operand, span): (Operand, Range<usize>),
    ) -> Result<String, PredicateError> {
        match operand {
            Operand::Column(name) | Operand::Quoted(name) => {
                self.mentions.push((name.clone(), span));
                Ok(name)
            }
            Operand::Number(_) => Err(PredicateError {
                message: "a number stands where the name of a column is expected".to_owned(),
                span,
                help: Some("a name that looks like a number goes into backticks".to_owned()),
            }),
        }
    }

    fn operand(&mut self, expectation: &str) -> Result<Operand, PredicateError> {
        let operand = match self.peek() {
            Some(Token::Name(name) | Token::Backticked(name)) => Operand::Column(name.clone()),
            Some(Token::Quoted(text)) => Operand::Quoted(text.clone()),
            Some(&Token::Number(value)) => Operand::Number(value),
            Some(Token::And | Token::Or | Token::In | Token::Between) => {
                let help = "a column of that name goes into backticks";
                return Err(self.error(
                    format!("{expectation}, but there is {}", self.spelling()),
                    help,
                ));
            }
            _ => {
                let help = "name a column, or write a number or quoted text";
                return Err(self.error(
                    format!("{expectation}, but there is {}", self.spelling()),
                    help,
                ));
            }
        };
        self.next += 1;
        Ok(operand)
    }

    fn literal(&mut self, expectation: &str) -> Result<Literal, PredicateError> {
        let literal = match self.peek() {
            Some(&Token::Number(value)) => Literal::Number(value),
            Some(Token::Quoted(text)) => Literal::Text(text.clone()),
            _ => {
                let message = format!("{expectation}, but there is {}", self.spelling());
                return Err(self.error(message, "write a number, or text in quotes"));
            }
        };
        self.next += 1;
        Ok(literal)
    }

    fn list(&mut self) -> Result<Vec<Literal>, PredicateError> {
        let form = "write in ['a', 'b'] or in [1, 2]";
        if !self.take(&Token::OpenBracket) {
            return Err(self.error(format!("{} where [ is expected", self.spelling()), form));
        }
        let mut literals = vec![self.literal("a list needs at least one literal")?];
        while self.take(&Token::Comma) {
            literals.push(self.literal("a literal is expected after the comma")?);
        }
        if !self.take(&Token::CloseBracket) {
            return Err(self.error(
                format!("{} where a comma or ] is expected", self.spelling()),
                form,
            ));
        }
        Ok(literals)
    }
}
