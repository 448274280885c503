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
import dev.waybill.experiment.body.Bytes;

/**
 * Reads an {@code ExportTraceServiceRequest} in protobuf field by field, so that what it takes is counted while it is read.
 * Fields
 * that are not known, or come as another type, are stepped over, as protobuf has it.
 */
final class ProtobufSpanReader {

    private static final int VARINT = WireFormat.WIRETYPE_VARINT;
    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int MESSAGE = WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private final CodedInputStream in;
    private final SpanLimits count;
    private final List<Span> spans = new ArrayList<>();

    private ProtobufSpanReader(CodedInputStream in, SpanLimits count) {
        this.in = in;
        this.count = count;
    }

    /** The spans of {@code body}; 400 when it is no such message. */
    static List<Span> read(Bytes body, SpanLimits count) {
        CodedInputStream in = CodedInputStream.newInstance(body.array(), body.offset(), body.length());
        ProtobufSpanReader reader = new ProtobufSpanReader(in, count);
        try {
            reader.fields(tag -> tag == tag(1, MESSAGE) && reader.within(reader::resourceSpans));
            return reader.spans;
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The body is no ExportTraceServiceRequest in protobuf.", e);
        }
    }

    private void resourceSpans() throws IOException {
        count.addValue();
        Map<String, Object> resource = new LinkedHashMap<>();
        fields(tag -> switch (tag) {
            case 1 << 3 | MESSAGE -> within(() -> fields(inner -> inner == tag(1, MESSAGE) && attribute(resource, 0)));
            case 2 << 3 | MESSAGE -> within(() -> scopeSpans(new Span.Source(resource)));
            default -> false;
        });
    }

    private void scopeSpans(Span.Source source) throws IOException {
        count.addValue();
        fields(tag -> switch (tag) {
            case 1 << 3 | MESSAGE -> within(() -> scope(source));
            case 2 << 3 | MESSAGE -> within(() -> span(source));
            default -> false;
        });
    }

    private void scope(Span.Source source) throws IOException {
        fields(tag -> {
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
        count.addSpan();
        Span span = new Span(source);
        spans.add(span);
        fields(tag -> {
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
                case 11 << 3 | MESSAGE -> within(() -> span.events.add(event()));
                case 13 << 3 | MESSAGE -> within(() -> span.links.add(link()));
                case 15 << 3 | MESSAGE -> within(() -> status(span));
                default -> {
                    return false;
                }
            }
            return true;
        });
    }

    private Span.Event event() throws IOException {
        count.addValue();
        Span.Event event = new Span.Event();
        fields(tag -> {
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
        count.addValue();
        Span.Link link = new Span.Link();
        fields(tag -> {
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
        fields(tag -> {
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

    // A KeyValue, whose key may come after its value.
    private boolean attribute(Map<String, Object> into, int depth) throws IOException {
        count.addValue();
        SpanLimits.checkDepth(depth);
        String[] key = { "" };
        @Nullable
        Object[] value = { null };
        boolean known = within(() -> fields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> key[0] = in.readString();
                case 2 << 3 | MESSAGE -> within(() -> value[0] = value(depth + 1));
                default -> {
                    return false;
                }
            }
            return true;
        }));
        into.put(key[0], value[0]);
        return known;
    }

    private @Nullable Object value(int depth) throws IOException {
        count.addValue();
        SpanLimits.checkDepth(depth);
        @Nullable
        Object[] value = { null };
        fields(tag -> {
            switch (tag) {
                case 1 << 3 | MESSAGE -> value[0] = in.readString();
                case 2 << 3 | VARINT -> value[0] = in.readBool();
                case 3 << 3 | VARINT -> value[0] = in.readInt64();
                case 4 << 3 | FIXED64 -> value[0] = in.readDouble();
                case 5 << 3 | MESSAGE -> within(() -> value[0] = list(depth + 1));
                case 6 << 3 | MESSAGE -> within(() -> value[0] = map(depth + 1));
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
        fields(tag -> tag == tag(1, MESSAGE) && within(() -> list.add(value(depth))));
        return list;
    }

    private Map<String, Object> map(int depth) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        fields(tag -> tag == tag(1, MESSAGE) && attribute(map, depth));
        return map;
    }

    private static int tag(int field, int wireType) {
        return field << 3 | wireType;
    }

    private void fields(Field field) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (!field.take(tag)) {
                in.skipField(tag);
            }
        }
    }

    private boolean within(Message message) throws IOException {
        int end = in.pushLimit(in.readRawVarint32());
        message.read();
        in.checkLastTagWas(0);
        in.popLimit(end);
        return true;
    }

    /** Reads a field's value when it knows the field. */
    @FunctionalInterface
    private interface Field {
        boolean take(int tag) throws IOException;
    }

    @FunctionalInterface
    private interface Message {
        void read() throws IOException;
    }
}
