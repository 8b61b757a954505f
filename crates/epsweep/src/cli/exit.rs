//! Exit codes. They are a contract: scripts branch on them.

/// everything was done
pub const DONE: u8 = 0;
/// a bug, or a failure that no rule foresees
pub const UNEXPECTED: u8 = 1;
/// the command line or the experiment file is wrong
pub const BAD_INPUT: u8 = 2;
/// the run stopped before its target
pub const INCOMPLETE: u8 = 3;
/// a check found what it looks for
pub const FOUND: u8 = 4;
/// the record could not be written or read
pub const RECORD: u8 = 5;
/// interrupted by Ctrl-C (128 + SIGINT)
pub const INTERRUPTED: u8 = 130;
/// ended by SIGTERM (128 + SIGTERM)
pub const TERMINATED: u8 = 143;
