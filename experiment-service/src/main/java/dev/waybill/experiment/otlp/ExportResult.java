package dev.waybill.experiment.otlp;

import java.util.List;

/**
 * One request's spans.
 *
 * @param spans those that can be runs, each once
 * @param rejected how many cannot
 * @param reasons why not, of the first of them
 */
record ExportResult(List<MappedSpan> spans, int rejected, List<String> reasons) {

    /** What is told to the exporter; empty when all is well. */
    String message() {
        return rejected == 0 ? ""
                : rejected + " spans were not stored: " + String.join(" ", reasons)
                        + (rejected > reasons.size() ? " And " + (rejected - reasons.size()) + " more." : "");
    }
}
