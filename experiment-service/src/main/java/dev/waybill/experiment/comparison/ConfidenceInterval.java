package dev.waybill.experiment.comparison;

/** Where something lies, at a confidence that whoever asked knows. */
public record ConfidenceInterval(double low, double high) {
}
