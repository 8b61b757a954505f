//! Noise mechanisms: calibration, law, moments.
