package dev.waybill.experiment.otlp;

import dev.waybill.experiment.run.RunFields;

/** A span as a run, checked, whose place is still to be found. */
record MappedSpan(SpanNode node, RunFields run) {
}
