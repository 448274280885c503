package dev.waybill.experiment.comparison;

/** Confidence interval; the caller knows the confidence level. */
public record ConfidenceInterval(double low, double high) {
}
