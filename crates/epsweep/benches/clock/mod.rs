//! Clocks of the benchmarks that print lines for scripts.

use std::time::Instant;

/// Seconds of CPU time of this process, all threads together.
#[cfg(unix)]
pub fn cpu() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to the one `timespec` that it is given
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Where there is no such clock: seconds since the first call.
#[cfg(not(unix))]
pub fn cpu() -> f64 {
    wall()
}

/// Seconds since the first call.
#[allow(dead_code)] // not every benchmark that shares this file asks for it
pub fn wall() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Median seconds of a call, by a clock, after one that is not timed.
pub fn median(clock: fn() -> f64, calls: usize, mut call: impl FnMut()) -> f64 {
    call();
    let mut seconds: Vec<f64> = (0..calls)
        .map(|_| {
            let start = clock();
            call();
            clock() - start
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[calls / 2]
}
