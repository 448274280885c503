package dev.waybill.experiment.otlp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;

/**
 * Parses an {@code ExportTraceServiceRequest} in protobuf field by field, so that limits are enforced while reading. Unknown
 * fields and fields of another wire type are skipped, as protobuf requires.
 */
final class ProtobufSpanReader {

    private static final int VARINT = WireFormat.WIRETYPE_VARINT;
    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int MESSAGE = WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private final CodedInputStream in;
    private final SpanLimits limits;
    private final List<Span> spans = new ArrayList<>();

    private ProtobufSpanReader(CodedInputStream in, SpanLimits limits) {
        this.in = in;
        this.limits = limits;
    }

    /** Returns the spans of {@code body}; 400 if it is malformed. */
    static List<Span> read(Bytes body, SpanLimits limits) {
        CodedInputStream in = CodedInputStream.newInstance(body.array(), body.offset(), body.length());
        ProtobufSpanReader reader = new ProtobufSpanReader(in, limits);
        try {
            reader.readFields(tag -> tag == tag(1, MESSAGE) && reader.readMessage(reader::resourceSpans));
            return reader.spans;
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The body is not an ExportTraceServiceRequest in protobuf.", e);
        }
    }

    private void resourceSpans() throws IOException {
        limits.addValue();
        Map<String, Object> resource = new LinkedHashMap<>();
        readFields(tag -> switch (tag) {
            case 1 << 3 | MESSAGE -> readMessage(() -> readFields(inner -> inner == tag(1, MESSAGE) && attribute(resource, 0)));
            case 2 << 3 | MESSAGE -> readMessage(() -> scopeSpans(new Span.Source(resource)));
            default -> false;
        });
    }

    private void scopeSpans(Span.Source source) throws IOException {
        limits.addValue();
        readFields(tag -> switch (tag) {
            case 1 << 3 | MESSAGE -> readMessage(() -> scope(source));
            case 2 << 3 | MESSAGE -> readMessage(() -> span(source));
            default -> false;
        });
    }

    private void scope(Span.Source source) throws IOException {
        readFields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> source.scopeName = in.readString();
                case 2 << 3 | MESSAGE -> source.scopeVersion = in.readString();
                case 3 << 3 | MESSAGE -> attribute(source.scopeAttributes, 0);
                default -> {
                    return false;
                }
            }
            return true;
        });
    }

    private void span(Span.Source source) throws IOException {
        limits.addSpan();
        Span span = new Span(source);
        spans.add(span);
        readFields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> span.traceId = in.readByteArray();
                case 2 << 3 | MESSAGE -> span.spanId = in.readByteArray();
                case 3 << 3 | MESSAGE -> span.traceState = in.readString();
                case 4 << 3 | MESSAGE -> span.parentSpanId = in.readByteArray();
                case 5 << 3 | MESSAGE -> span.name = in.readString();
                case 6 << 3 | VARINT -> span.kind = in.readEnum();
                case 7 << 3 | FIXED64 -> span.startNanos = in.readFixed64();
                case 8 << 3 | FIXED64 -> span.endNanos = in.readFixed64();
                case 9 << 3 | MESSAGE -> attribute(span.attributes, 0);
                case 11 << 3 | MESSAGE -> readMessage(() -> span.events.add(event()));
                case 13 << 3 | MESSAGE -> readMessage(() -> span.links.add(link()));
                case 15 << 3 | MESSAGE -> readMessage(() -> status(span));
                default -> {
                    return false;
                }
            }
            return true;
        });
    }

    private Span.Event event() throws IOException {
        limits.addValue();
        Span.Event event = new Span.Event();
        readFields(tag -> {
            switch (tag) {
                case 1 << 3 | FIXED64 -> event.nanos = in.readFixed64();
                case 2 << 3 | MESSAGE -> event.name = in.readString();
                case 3 << 3 | MESSAGE -> attribute(event.attributes, 0);
                default -> {
                    return false;
                }
            }
            return true;
        });
        return event;
    }

    private Span.Link link() throws IOException {
        limits.addValue();
        Span.Link link = new Span.Link();
        readFields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> link.traceId = in.readByteArray();
                case 2 << 3 | MESSAGE -> link.spanId = in.readByteArray();
                case 4 << 3 | MESSAGE -> attribute(link.attributes, 0);
                default -> {
                    return false;
                }
            }
            return true;
        });
        return link;
    }

    private void status(Span span) throws IOException {
        readFields(tag -> {
            switch (tag) {
                case 2 << 3 | MESSAGE -> span.statusMessage = in.readString();
                case 3 << 3 | VARINT -> span.statusCode = in.readEnum();
                default -> {
                    return false;
                }
            }
            return true;
        });
    }

    // Reads a KeyValue, whose key may follow its value.
    private boolean attribute(Map<String, Object> target, int depth) throws IOException {
        limits.addValue();
        SpanLimits.checkDepth(depth);
        String[] key = { "" };
        @Nullable
        Object[] value = { null };
        boolean known = readMessage(() -> readFields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> key[0] = in.readString();
                case 2 << 3 | MESSAGE -> readMessage(() -> value[0] = value(depth + 1));
                default -> {
                    return false;
                }
            }
            return true;
        }));
        target.put(key[0], value[0]);
        return known;
    }

    private @Nullable Object value(int depth) throws IOException {
        limits.addValue();
        SpanLimits.checkDepth(depth);
        @Nullable
        Object[] value = { null };
        readFields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> value[0] = in.readString();
                case 2 << 3 | VARINT -> value[0] = in.readBool();
                case 3 << 3 | VARINT -> value[0] = in.readInt64();
                case 4 << 3 | FIXED64 -> value[0] = in.readDouble();
                case 5 << 3 | MESSAGE -> readMessage(() -> value[0] = list(depth + 1));
                case 6 << 3 | MESSAGE -> readMessage(() -> value[0] = map(depth + 1));
                case 7 << 3 | MESSAGE -> value[0] = in.readByteArray();
                default -> {
                    return false;
                }
            }
            return true;
        });
        return value[0];
    }

    private List<@Nullable Object> list(int depth) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        readFields(tag -> tag == tag(1, MESSAGE) && readMessage(() -> list.add(value(depth))));
        return list;
    }

    private Map<String, Object> map(int depth) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        readFields(tag -> tag == tag(1, MESSAGE) && attribute(map, depth));
        return map;
    }

    private static int tag(int field, int wireType) {
        return field << 3 | wireType;
    }

    private void readFields(FieldReader field) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (!field.read(tag)) {
                in.skipField(tag);
            }
        }
    }

    private boolean readMessage(MessageReader message) throws IOException {
        int end = in.pushLimit(in.readRawVarint32());
        message.read();
        in.checkLastTagWas(0);
        in.popLimit(end);
        return true;
    }

    /** Reads a field's value; returns false for an unknown field. */
    @FunctionalInterface
    private interface FieldReader {
        boolean read(int tag) throws IOException;
    }

    @FunctionalInterface
    private interface MessageReader {
        void read() throws IOException;
    }
}
