package dev.waybill.experiment.otlp;

import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.NameIds;

/**
 * A span's relations within its trace.
 *
 * @param traceId the trace's id, which is also the id of the root's run
 * @param id derived from the trace's and the span's id, so repeated spans have the same id; the id of its run unless it is
 *        the root
 * @param parentId the parent span, which may not have been received; null if there is none
 * @param root whether it is the trace's root: the first received span without a parent
 */
record SpanNode(UUID traceId, UUID id, @Nullable UUID parentId, Instant startTime, boolean root) {

    /** Derives the id of a span. */
    static UUID id(UUID traceId, byte[] spanId) {
        return NameIds.of(traceId, HexFormat.of().formatHex(spanId));
    }

    /** Returns the id of the span's run. */
    UUID runId() {
        return root ? traceId : id;
    }

    SpanNode asRoot() {
        return new SpanNode(traceId, id, null, startTime, true);
    }
}
