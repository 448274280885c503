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
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonDocumentReader;

/**
 * Parses an {@code ExportTraceServiceRequest} in OTLP's JSON: lowerCamelCase names, hexadecimal ids, 64-bit numbers as
 * strings or numbers, enumerations as numbers. Unknown members are ignored.
 */
final class JsonSpanReader {

    private static final int MAX_NESTING = 500;
    private static final JsonDocumentReader DOCUMENTS = new JsonDocumentReader(MAX_NESTING);

    private final JsonParser json;
    private final Values values;
    private final SpanLimits limits;
    private final List<Span> spans = new ArrayList<>();

    private JsonSpanReader(JsonParser json, SpanLimits limits) {
        this.json = json;
        this.values = new Values(json);
        this.limits = limits;
    }

    /** Returns the spans of {@code body}; 400 if it is malformed. */
    static List<Span> read(Bytes body, SpanLimits limits) {
        List<Span> spans = new ArrayList<>();
        DOCUMENTS.read(body, "", parser -> {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                throw Values.malformed("the body", "must be a JSON object");
            }
            JsonSpanReader reader = new JsonSpanReader(parser, limits);
            reader.values.object("the body", member -> {
                if (member.equals("resourceSpans")) {
                    reader.values.forEach(member, reader::resourceSpans);
                } else {
                    parser.skipChildren();
                }
            });
            spans.addAll(reader.spans);
        });
        return spans;
    }

    private void resourceSpans() throws IOException {
        limits.addValue();
        Map<String, Object> resource = new LinkedHashMap<>();
        values.object("resourceSpans", member -> {
            switch (member) {
                case "resource" -> values.object(member, inner -> attributesOr(inner, resource));
                case "scopeSpans" -> values.forEach(member, () -> scopeSpans(new Span.Source(resource)));
                default -> json.skipChildren();
            }
        });
    }

    private void scopeSpans(Span.Source source) throws IOException {
        limits.addValue();
        values.object("scopeSpans", member -> {
            switch (member) {
                case "scope" -> values.object(member, inner -> {
                    switch (inner) {
                        case "name" -> source.scopeName = values.text(inner);
                        case "version" -> source.scopeVersion = values.text(inner);
                        default -> attributesOr(inner, source.scopeAttributes);
                    }
                });
                case "spans" -> values.forEach(member, () -> span(source));
                default -> json.skipChildren();
            }
        });
    }

    private void span(Span.Source source) throws IOException {
        limits.addSpan();
        Span span = new Span(source);
        spans.add(span);
        values.object("spans", member -> {
            switch (member) {
                case "traceId" -> span.traceId = values.id(member);
                case "spanId" -> span.spanId = values.id(member);
                case "parentSpanId" -> span.parentSpanId = values.id(member);
                case "traceState" -> span.traceState = values.text(member);
                case "name" -> span.name = values.text(member);
                case "kind" -> span.kind = values.enumeration("SPAN_KIND_",
                        List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"));
                case "startTimeUnixNano" -> span.startNanos = values.nanos(member);
                case "endTimeUnixNano" -> span.endNanos = values.nanos(member);
                case "events" -> values.forEach(member, () -> span.events.add(event()));
                case "links" -> values.forEach(member, () -> span.links.add(link()));
                case "status" -> values.object(member, inner -> status(inner, span));
                default -> attributesOr(member, span.attributes);
            }
        });
    }

    private Span.Event event() throws IOException {
        limits.addValue();
        Span.Event event = new Span.Event();
        values.object("events", member -> {
            switch (member) {
                case "timeUnixNano" -> event.nanos = values.nanos(member);
                case "name" -> event.name = values.text(member);
                default -> attributesOr(member, event.attributes);
            }
        });
        return event;
    }

    private Span.Link link() throws IOException {
        limits.addValue();
        Span.Link link = new Span.Link();
        values.object("links", member -> {
            switch (member) {
                case "traceId" -> link.traceId = values.id(member);
                case "spanId" -> link.spanId = values.id(member);
                default -> attributesOr(member, link.attributes);
            }
        });
        return link;
    }

    private void status(String member, Span span) throws IOException {
        switch (member) {
            case "code" -> span.statusCode = values.enumeration("STATUS_CODE_", List.of("UNSET", "OK", "ERROR"));
            case "message" -> span.statusMessage = values.text(member);
            default -> json.skipChildren();
        }
    }

    private void attributesOr(String member, Map<String, Object> target) throws IOException {
        if (member.equals("attributes")) {
            values.forEach(member, () -> attribute(target));
        } else {
            json.skipChildren();
        }
    }

    // Reads a key and its value, in either order.
    private void attribute(Map<String, Object> target) throws IOException {
        limits.addValue();
        String[] key = { "" };
        @Nullable
        Object[] value = { null };
        values.object("attributes", member -> {
            switch (member) {
                case "key" -> key[0] = values.text(member);
                case "value" -> value[0] = value();
                default -> json.skipChildren();
            }
        });
        target.put(key[0], value[0]);
    }

    private @Nullable Object value() throws IOException {
        limits.addValue();
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        @Nullable
        Object[] value = { null };
        values.object("value", member -> {
            switch (member) {
                case "stringValue" -> value[0] = values.text(member);
                case "boolValue" -> value[0] = json.currentToken() == JsonToken.VALUE_TRUE;
                case "intValue" -> value[0] = values.number(member);
                case "doubleValue" -> value[0] = values.decimal(member);
                case "bytesValue" -> value[0] = values.bytes(member);
                case "arrayValue" -> value[0] = list();
                case "kvlistValue" -> value[0] = map();
                default -> json.skipChildren();
            }
        });
        return value[0];
    }

    private List<@Nullable Object> list() throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        values.object("arrayValue", member -> {
            if (member.equals("values")) {
                values.forEach(member, () -> list.add(value()));
            } else {
                json.skipChildren();
            }
        });
        return list;
    }

    private Map<String, Object> map() throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        values.object("kvlistValue", member -> {
            if (member.equals("values")) {
                values.forEach(member, () -> attribute(map));
            } else {
                json.skipChildren();
            }
        });
        return map;
    }

    /** Reads values of OTLP's JSON at the parser's position; a value of another type is a 400 with the member's name. */
    static final class Values {

        private static final HexFormat HEX = HexFormat.of();

        private final JsonParser json;

        Values(JsonParser json) {
            this.json = json;
        }

        String text(String member) throws IOException {
            return switch (json.currentToken()) {
                case VALUE_STRING -> json.getText();
                case VALUE_NULL -> "";
                default -> throw malformed(member, "must be a string");
            };
        }

        byte[] id(String member) throws IOException {
            try {
                return HEX.parseHex(text(member));
            } catch (IllegalArgumentException e) {
                throw malformed(member, "must be hexadecimal digits");
            }
        }

        byte[] bytes(String member) throws IOException {
            try {
                return Base64.getDecoder().decode(text(member));
            } catch (IllegalArgumentException e) {
                throw malformed(member, "must be base64");
            }
        }

        long number(String member) throws IOException {
            try {
                return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : Long.parseLong(text(member));
            } catch (NumberFormatException e) {
                throw malformed(member, "must be a whole number of 64 bits");
            }
        }

        long nanos(String member) throws IOException {
            try {
                return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue()
                        : json.currentToken() == JsonToken.VALUE_NULL ? 0 : Long.parseUnsignedLong(text(member));
            } catch (NumberFormatException e) {
                throw malformed(member, "must be nanoseconds since 1970, as text or as a number");
            }
        }

        // Strings represent NaN and infinities.
        double decimal(String member) throws IOException {
            try {
                return json.currentToken().isNumeric() ? json.getDoubleValue()
                        : Double.parseDouble(text(member));
            } catch (NumberFormatException e) {
                throw malformed(member, "must be a number");
            }
        }

        int enumeration(String prefix, List<String> names) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                return json.getIntValue();
            }
            String name = json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
            return Math.max(0, name.startsWith(prefix) ? names.indexOf(name.substring(prefix.length())) : 0);
        }

        void forEach(String member, ElementReader element) throws IOException {
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

        void object(String what, MemberReader member) throws IOException {
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

        static ProblemException malformed(String member, String rule) {
            return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The body is not an ExportTraceServiceRequest in OTLP's JSON: " + member + " " + rule + ".");
        }

        /** Reads an element of an array at the parser's position. */
        @FunctionalInterface
        interface ElementReader {
            void read() throws IOException;
        }

        /** Reads the value of a member at the parser's position. */
        @FunctionalInterface
        interface MemberReader {
            void read(String member) throws IOException;
        }
    }
}
