//! Ways of dividing a budget among queries.
