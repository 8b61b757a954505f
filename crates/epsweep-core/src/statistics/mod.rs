//! Estimates and their Monte Carlo errors: pure functions, one subject per file. All are right for any scale of the values, refuse
//! NaN, and use no function of the platform, so that they give the same bits on every machine.

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
