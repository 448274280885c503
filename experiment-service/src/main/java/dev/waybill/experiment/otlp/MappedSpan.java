package dev.waybill.experiment.otlp;

import dev.waybill.experiment.run.RunFields;

/** A span mapped to a validated run, whose position in the trace is not yet known. */
record MappedSpan(SpanNode node, RunFields run) {
}
