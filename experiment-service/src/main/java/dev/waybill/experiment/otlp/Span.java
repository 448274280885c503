package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parsed span. Values of attributes are strings, booleans, longs, doubles, byte arrays, and lists and maps of these; null
 * is an empty value.
 */
final class Span {

    /** The status code of a failed span. */
    static final int ERROR = 2;

    /** Its resource and scope, shared with other spans; in some bodies they are parsed after the span. */
    final Source source;
    byte[] traceId = new byte[0];
    byte[] spanId = new byte[0];
    byte[] parentSpanId = new byte[0];
    String traceState = "";
    String name = "";
    int kind;
    /** Nanoseconds since 1970, unsigned; 0 if missing. */
    long startNanos;
    long endNanos;
    int statusCode;
    String statusMessage = "";
    final Map<String, Object> attributes = new LinkedHashMap<>();
    final List<Event> events = new ArrayList<>();
    final List<Link> links = new ArrayList<>();

    Span(Source source) {
        this.source = source;
    }

    /** The process (resource) and library (scope) that created spans. */
    static final class Source {
        final Map<String, Object> resource;
        String scopeName = "";
        String scopeVersion = "";
        final Map<String, Object> scopeAttributes = new LinkedHashMap<>();

        Source(Map<String, Object> resource) {
            this.resource = resource;
        }
    }

    /** An event during a span. */
    static final class Event {
        String name = "";
        long nanos;
        final Map<String, Object> attributes = new LinkedHashMap<>();
    }

    /** A link to another span. */
    static final class Link {
        byte[] traceId = new byte[0];
        byte[] spanId = new byte[0];
        final Map<String, Object> attributes = new LinkedHashMap<>();
    }
}
