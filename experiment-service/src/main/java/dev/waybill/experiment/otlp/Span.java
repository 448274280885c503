package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A span as it came. Values of attributes are texts, booleans, longs, doubles, byte arrays, and lists and maps of these; null
 * is
 * an empty value.
 */
final class Span {

    /** The status code of a span that failed. */
    static final int ERROR = 2;

    /** What it came from; shared with other spans and, in some bodies, known only after them. */
    final Source source;
    byte[] traceId = new byte[0];
    byte[] spanId = new byte[0];
    byte[] parentSpanId = new byte[0];
    String traceState = "";
    String name = "";
    int kind;
    /** Nanoseconds since 1970, unsigned; 0 when not told. */
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

    /** The process and the library that made spans. */
    static final class Source {
        final Map<String, Object> resource;
        String scopeName = "";
        String scopeVersion = "";
        final Map<String, Object> scopeAttributes = new LinkedHashMap<>();

        Source(Map<String, Object> resource) {
            this.resource = resource;
        }
    }

    /** Something that happened during a span. */
    static final class Event {
        String name = "";
        long nanos;
        final Map<String, Object> attributes = new LinkedHashMap<>();
    }

    /** Another span that has to do with this one. */
    static final class Link {
        byte[] traceId = new byte[0];
        byte[] spanId = new byte[0];
        final Map<String, Object> attributes = new LinkedHashMap<>();
    }
}
