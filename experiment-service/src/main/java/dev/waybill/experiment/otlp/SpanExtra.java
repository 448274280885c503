package dev.waybill.experiment.otlp;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.common.time.Timestamps;

/** Maps the parts of a span that have no member of their own in a run to {@code extra} and {@code events}. */
final class SpanExtra {

    private static final List<String> KINDS = List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER");
    private static final List<String> STATUSES = List.of("UNSET", "OK", "ERROR");

    private SpanExtra() {
    }

    /** Returns the run's member {@code extra}. */
    static Map<String, Object> extra(Span span, SpanAttributes attributes) {
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("metadata", attributes.members(MappingTarget.METADATA));
        Map<String, Object> parameters = attributes.members(MappingTarget.INVOCATION_PARAMETERS);
        if (!parameters.isEmpty()) {
            extra.put("invocation_params", parameters);
        }
        extra.put("otel", original(span));
        return extra;
    }

    // Contains the whole span, so that stored runs can be mapped again when conventions change.
    private static Map<String, Object> original(Span span) {
        Map<String, Object> otel = new LinkedHashMap<>();
        otel.put("trace_id", hex(span.traceId));
        otel.put("span_id", hex(span.spanId));
        if (span.parentSpanId.length > 0) {
            otel.put("parent_span_id", hex(span.parentSpanId));
        }
        otel.put("name", span.name);
        otel.put("kind", nameOf(KINDS, span.kind));
        otel.put("status", Map.of("code", nameOf(STATUSES, span.statusCode), "message", span.statusMessage));
        otel.put("start_time_unix_nano", Long.toUnsignedString(span.startNanos));
        otel.put("end_time_unix_nano", Long.toUnsignedString(span.endNanos));
        if (!span.traceState.isEmpty()) {
            otel.put("trace_state", span.traceState);
        }
        otel.put("attributes", span.attributes);
        otel.put("resource", span.source.resource);
        otel.put("scope", Map.of("name", span.source.scopeName, "version", span.source.scopeVersion, "attributes",
                span.source.scopeAttributes));
        if (!span.links.isEmpty()) {
            otel.put("links", span.links.stream().map(link -> Map.of("trace_id", hex(link.traceId), "span_id",
                    hex(link.spanId), "attributes", link.attributes)).toList());
        }
        return otel;
    }

    /** Returns the run's member {@code events}. */
    static List<Map<String, Object>> events(Span span) {
        List<Map<String, Object>> events = new ArrayList<>();
        for (Span.Event spanEvent : span.events) {
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("name", spanEvent.name);
            Instant time = SpanMapper.time(spanEvent.nanos);
            if (time != null) {
                event.put("time", Timestamps.format(time));
            }
            event.put("attributes", spanEvent.attributes);
            events.add(event);
        }
        return events;
    }

    private static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }

    private static String nameOf(List<String> names, int number) {
        return number >= 0 && number < names.size() ? names.get(number) : Integer.toString(number);
    }
}
