package dev.waybill.experiment.otlp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonDocuments;

/**
 * Reads an {@code ExportTraceServiceRequest} in OTLP's JSON: lowerCamelCase, ids as hexadecimal text, 64-bit numbers as text or
 * as
 * numbers, enumerations as numbers. Members that are not known are stepped over.
 */
final class JsonSpanReader {

    private static final int DEEPEST_NESTING = 500;
    private static final JsonDocuments DOCUMENTS = new JsonDocuments(DEEPEST_NESTING);
    private static final HexFormat HEX = HexFormat.of();

    private final JsonParser json;
    private final SpanCount count;
    private final List<Span> spans = new ArrayList<>();

    private JsonSpanReader(JsonParser json, SpanCount count) {
        this.json = json;
        this.count = count;
    }

    /** The spans of {@code body}; 400 when it is no such document. */
    static List<Span> read(Bytes body, SpanCount count) {
        List<Span> spans = new ArrayList<>();
        DOCUMENTS.read(body, "", parser -> {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw malformed("the body", "must be a JSON object");
            }
            JsonSpanReader reader = new JsonSpanReader(parser, count);
            reader.object("the body", member -> {
                if (member.equals("resourceSpans")) {
                    reader.each(member, reader::resourceSpans);
                } else {
                    parser.skipChildren();
                }
            });
            spans.addAll(reader.spans);
        });
        return spans;
    }

    private void resourceSpans() throws IOException {
        count.addValue();
        Map<String, Object> resource = new LinkedHashMap<>();
        object("resourceSpans", member -> {
            switch (member) {
                case "resource" -> object(member, inner -> attributesOr(inner, resource));
                case "scopeSpans" -> each(member, () -> scopeSpans(new Span.Source(resource)));
                default -> json.skipChildren();
            }
        });
    }

    private void scopeSpans(Span.Source source) throws IOException {
        count.addValue();
        object("scopeSpans", member -> {
            switch (member) {
                case "scope" -> object(member, inner -> {
                    switch (inner) {
                        case "name" -> source.scopeName = text(inner);
                        case "version" -> source.scopeVersion = text(inner);
                        default -> attributesOr(inner, source.scopeAttributes);
                    }
                });
                case "spans" -> each(member, () -> span(source));
                default -> json.skipChildren();
            }
        });
    }

    private void span(Span.Source source) throws IOException {
        count.addSpan();
        Span span = new Span(source);
        spans.add(span);
        object("spans", member -> {
            switch (member) {
                case "traceId" -> span.traceId = id(member);
                case "spanId" -> span.spanId = id(member);
                case "parentSpanId" -> span.parentSpanId = id(member);
                case "traceState" -> span.traceState = text(member);
                case "name" -> span.name = text(member);
                case "kind" -> span.kind = enumeration("SPAN_KIND_",
                        List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"));
                case "startTimeUnixNano" -> span.startNanos = nanos(member);
                case "endTimeUnixNano" -> span.endNanos = nanos(member);
                case "events" -> each(member, () -> span.events.add(event()));
                case "links" -> each(member, () -> span.links.add(link()));
                case "status" -> object(member, inner -> status(inner, span));
                default -> attributesOr(member, span.attributes);
            }
        });
    }

    private Span.Event event() throws IOException {
        count.addValue();
        Span.Event event = new Span.Event();
        object("events", member -> {
            switch (member) {
                case "timeUnixNano" -> event.nanos = nanos(member);
                case "name" -> event.name = text(member);
                default -> attributesOr(member, event.attributes);
            }
        });
        return event;
    }

    private Span.Link link() throws IOException {
        count.addValue();
        Span.Link link = new Span.Link();
        object("links", member -> {
            switch (member) {
                case "traceId" -> link.traceId = id(member);
                case "spanId" -> link.spanId = id(member);
                default -> attributesOr(member, link.attributes);
            }
        });
        return link;
    }

    private void status(String member, Span span) throws IOException {
        switch (member) {
            case "code" -> span.statusCode = enumeration("STATUS_CODE_", List.of("UNSET", "OK", "ERROR"));
            case "message" -> span.statusMessage = text(member);
            default -> json.skipChildren();
        }
    }

    private void attributesOr(String member, Map<String, Object> into) throws IOException {
        if (member.equals("attributes")) {
            each(member, () -> attribute(into));
        } else {
            json.skipChildren();
        }
    }

    // A key and its value, in either order.
    private void attribute(Map<String, Object> into) throws IOException {
        count.addValue();
        String[] key = { "" };
        @Nullable
        Object[] value = { null };
        object("attributes", member -> {
            switch (member) {
                case "key" -> key[0] = text(member);
                case "value" -> value[0] = value();
                default -> json.skipChildren();
            }
        });
        into.put(key[0], value[0]);
    }

    private @Nullable Object value() throws IOException {
        count.addValue();
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        @Nullable
        Object[] value = { null };
        object("value", member -> {
            switch (member) {
                case "stringValue" -> value[0] = text(member);
                case "boolValue" -> value[0] = json.currentToken() == JsonToken.VALUE_TRUE;
                case "intValue" -> value[0] = number(member);
                case "doubleValue" -> value[0] = real(member);
                case "bytesValue" -> value[0] = bytes(member);
                case "arrayValue" -> value[0] = list();
                case "kvlistValue" -> value[0] = map();
                default -> json.skipChildren();
            }
        });
        return value[0];
    }

    private List<@Nullable Object> list() throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        object("arrayValue", member -> {
            if (member.equals("values")) {
                each(member, () -> list.add(value()));
            } else {
                json.skipChildren();
            }
        });
        return list;
    }

    private Map<String, Object> map() throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        object("kvlistValue", member -> {
            if (member.equals("values")) {
                each(member, () -> attribute(map));
            } else {
                json.skipChildren();
            }
        });
        return map;
    }

    private String text(String member) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_STRING -> json.getText();
            case VALUE_NULL -> "";
            default -> throw malformed(member, "must be a string");
        };
    }

    private byte[] id(String member) throws IOException {
        try {
            return HEX.parseHex(text(member));
        } catch (IllegalArgumentException e) {
            throw malformed(member, "must be hexadecimal digits");
        }
    }

    private byte[] bytes(String member) throws IOException {
        try {
            return Base64.getDecoder().decode(text(member));
        } catch (IllegalArgumentException e) {
            throw malformed(member, "must be base64");
        }
    }

    private long number(String member) throws IOException {
        try {
            return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : Long.parseLong(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be a whole number of 64 bits");
        }
    }

    private long nanos(String member) throws IOException {
        try {
            return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue()
                    : json.currentToken() == JsonToken.VALUE_NULL ? 0 : Long.parseUnsignedLong(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be nanoseconds since 1970, as text or as a number");
        }
    }

    // Texts are for what JSON's numbers cannot say: NaN and the infinities.
    private double real(String member) throws IOException {
        try {
            return json.currentToken().isNumeric() ? json.getDoubleValue()
                    : Double.parseDouble(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be a number");
        }
    }

    private int enumeration(String prefix, List<String> names) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return json.getIntValue();
        }
        String name = json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
        return Math.max(0, name.startsWith(prefix) ? names.indexOf(name.substring(prefix.length())) : 0);
    }

    private void each(String member, Reading element) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw malformed(member, "must be an array");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    private void object(String what, MemberReading member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw malformed(what, "must be a JSON object");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            member.read(name);
        }
    }

    private static ProblemException malformed(String member, String rule) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                "The body is no ExportTraceServiceRequest in OTLP's JSON: " + member + " " + rule + ".");
    }

    @FunctionalInterface
    private interface Reading {
        void read() throws IOException;
    }

    /** Reads the value of a member where the parser stands. */
    @FunctionalInterface
    private interface MemberReading {
        void read(String member) throws IOException;
    }
}
