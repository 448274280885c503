package dev.waybill.common.telemetry;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;

/**
 * Reads and writes a span context in the format of W3C Trace Context, as in the header {@code traceparent} and the column
 * {@code trace_parent}. Other trace headers of a caller ({@code tracestate}, {@code baggage}) are not propagated.
 */
public final class TraceParent {

    public static final String HEADER = "traceparent";

    // Later versions may have more fields after the flags.
    private static final Pattern FORM = Pattern
            .compile("(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private TraceParent() {
    }

    /** Parses a span context; returns an invalid one for any other text. */
    public static SpanContext parse(@Nullable String text) {
        Matcher parts = FORM.matcher(text == null ? "" : text);
        if (!parts.matches() || parts.group(1).equals("00") && parts.group(5) != null) {
            return SpanContext.getInvalid();
        }
        return SpanContext.createFromRemoteParent(parts.group(2), parts.group(3), TraceFlags.fromHex(parts.group(4), 0),
                TraceState.getDefault());
    }

    /** Returns the text form; null for an invalid context. */
    public static @Nullable String format(SpanContext context) {
        return context.isValid()
                ? "00-" + context.getTraceId() + "-" + context.getSpanId() + (context.isSampled() ? "-01" : "-00")
                : null;
    }
}
