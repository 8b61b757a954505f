//! Estimates and their Monte Carlo errors: pure functions, one subject per file. All are right for any scale of the values, refuse
//! NaN, and use no function of the platform, so that they give the same bits on every machine.
//!
//! ```
//! use epsweep_core::statistics::{Moments, mean_interval, proportion_interval};
//!
//! let moments = Moments::from_values(&[1.0, 3.0, 2.0, 6.0]);
//! let interval = mean_interval(moments.n, moments.mean, moments.mcse_mean(), 0.95)?;
//! assert!(interval.low < 3.0 && 3.0 < interval.high);
//! let never = proportion_interval(0, 100, 0.95)?; // Clopper and Pearson: 1 − 0.025^(1/100)
//! assert_eq!(never.low, 0.0);
//! assert!((never.high - (1.0 - f64::powf(0.025, 0.01))).abs() < 1e-12);
//! # Ok::<(), epsweep_core::statistics::StatisticsError>(())
//! ```

mod beta;
mod bootstrap;
mod boxplot;
mod chi_square;
mod error;
mod holm;
mod interval;
mod kolmogorov;
mod moments;
mod normal;
mod paired;
mod proportion;
mod quantile;
mod rmse;
mod student;
mod tail;

pub use bootstrap::Bootstrap;
pub use boxplot::{BoxPlot, box_plot, fences, five_numbers};
pub use chi_square::ChiSquare;
pub use error::StatisticsError;
pub use holm::holm;
pub use interval::{Interval, cochran_sufficient, mean_interval, normal_interval, sd_interval};
pub use kolmogorov::{KsStatistic, asymptotic_p, exact_p, ks_statistic};
pub use moments::Moments;
pub use normal::{normal_cdf, normal_density, normal_quantile};
pub use paired::PairedDifference;
pub use proportion::{
    clopper_pearson, proportion_coverage, proportion_interval, proportion_mcse, proportion_p_value,
    proportion_sd_coverage, proportion_sd_interval, wilson,
};
pub use quantile::{
    OrderRanks, order_ranks, quantile, quantile_interval, quantile_mcse, quantile_sorted,
};
pub use rmse::{Rmse, rmse};
pub use student::{t_quantile, t_tail, t_two_sided};
