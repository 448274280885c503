package dev.waybill.experiment.otlp;

import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.NameIds;

/**
 * A span's place among the others of its trace.
 *
 * @param traceId the trace, whose id is also that of the root's run
 * @param id made of the trace's and the span's own id, the same whenever the span is sent; the id of its run unless it is the
 *        root
 * @param parentId of the span above it, which may not have come; null where it names none
 * @param root whether it is its trace's root: the first one without a parent
 */
record SpanNode(UUID traceId, UUID id, @Nullable UUID parentId, Instant startTime, boolean root) {

    /** The id of a span within its trace. */
    static UUID id(UUID traceId, byte[] spanId) {
        return NameIds.of(traceId, HexFormat.of().formatHex(spanId));
    }

    /** The id of its run. */
    UUID runId() {
        return root ? traceId : id;
    }

    SpanNode asRoot() {
        return new SpanNode(traceId, id, null, startTime, true);
    }
}
