package dev.waybill.common.telemetry;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;

/**
 * A place in a trace as W3C Trace Context writes it: the header {@code traceparent}, and the column {@code trace_parent} of
 * work
 * that is done later. What else a caller may send of its trace ({@code tracestate}, {@code baggage}) is not handed on.
 */
public final class TraceParent {

    public static final String HEADER = "traceparent";

    // A later version may have more behind the flags.
    private static final Pattern FORM = Pattern
            .compile("(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private TraceParent() {
    }

    /** The place that the text names; an invalid one for anything else. */
    public static SpanContext parse(@Nullable String text) {
        Matcher parts = FORM.matcher(text == null ? "" : text);
        if (!parts.matches() || parts.group(1).equals("00") && parts.group(5) != null) {
            return SpanContext.getInvalid();
        }
        return SpanContext.createFromRemoteParent(parts.group(2), parts.group(3), TraceFlags.fromHex(parts.group(4), 0),
                TraceState.getDefault());
    }

    /** The text; null for an invalid place. */
    public static @Nullable String format(SpanContext place) {
        return place.isValid()
                ? "00-" + place.getTraceId() + "-" + place.getSpanId() + (place.isSampled() ? "-01" : "-00")
                : null;
    }
}
