package dev.waybill.experiment.comparison;

/** Where something lies, at a confidence that whoever asked knows. */
public record Interval(double low, double high) {
}
