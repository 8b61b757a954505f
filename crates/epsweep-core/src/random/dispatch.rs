//! From a generic kernel to one function per instruction set.

/// Compiles a generic kernel for every instruction set and chooses at run time.
///
/// ```
/// use epsweep_core::dispatch;
/// use epsweep_core::random::{isa::{Isa, LANES}, level};
///
/// #[inline(always)]
/// fn add_up_body<I: Isa>(isa: I, values: &[f64]) -> f64 {
///     let (groups, rest) = values.as_chunks::<LANES>();
///     let mut total = isa.splat(0.0);
///     for group in groups {
///         total = isa.add(total, isa.load(group));
///     }
///     rest.iter().fold(isa.sum(total), |sum, x| sum + x)
/// }
///
/// dispatch! {
///     /// The sum of `values`, in an order that does not depend on the machine.
///     pub fn add_up(values: &[f64]) -> f64 = add_up_body;
/// }
///
/// assert_eq!(add_up(level(), &[1.0; 20]), 20.0);
/// ```
///
/// The function takes a [`Level`](crate::random::Level) before the parameters that are written. The body must
/// be a function of (token, parameters…), generic over [`Isa`](crate::random::isa::Isa), and
/// `#[inline(always)]` (so must be what it calls): only what is inlined is compiled for the instruction set.
/// Further generic arguments can be given: `= body::<_, Laplace>`.
#[macro_export]
macro_rules! dispatch {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $body:expr;
    )+) => { $(
        $(#[$attribute])*
        $visibility fn $name(level: $crate::random::Level, $($parameter: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512(isa: $crate::random::isa::Avx512, $($parameter: $type),*) $(-> $result)? {
                $body(isa, $($parameter),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2(isa: $crate::random::isa::Avx2, $($parameter: $type),*) $(-> $result)? {
                $body(isa, $($parameter),*)
            }
            match level {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the token exists only where the instructions were found.
                $crate::random::Level::Avx512(isa) => unsafe { avx512(isa, $($parameter),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the token exists only where the instructions were found.
                $crate::random::Level::Avx2(isa) => unsafe { avx2(isa, $($parameter),*) },
                #[cfg(target_arch = "x86_64")]
                $crate::random::Level::Sse2(isa) => $body(isa, $($parameter),*),
                $crate::random::Level::Portable(isa) => $body(isa, $($parameter),*),
            }
        }
    )+ };
}
