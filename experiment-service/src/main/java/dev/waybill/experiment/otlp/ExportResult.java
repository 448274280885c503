package dev.waybill.experiment.otlp;

import java.util.List;

/**
 * The result of mapping one request's spans.
 *
 * @param spans the spans that can be stored, without duplicates
 * @param rejected the number of rejected spans
 * @param reasons the reasons of the first rejections
 */
record ExportResult(List<MappedSpan> spans, int rejected, List<String> reasons) {

    /** Returns the error message for the exporter; empty if no span was rejected. */
    String message() {
        return rejected == 0 ? ""
                : rejected + " spans were not stored: " + String.join(" ", reasons)
                        + (rejected > reasons.size() ? " And " + (rejected - reasons.size()) + " more." : "");
    }
}
