mod calibration;
mod descent;
mod gradient;
