package dev.waybill.experiment.otlp;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;

import com.google.protobuf.ByteString;

import dev.waybill.common.id.NameIds;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;

/** Builder of OpenTelemetry's span messages; by default a successful span of one second. */
final class TestSpan {

    static final long START = 1_795_161_600_123_456_789L;

    private final UUID traceId;
    private final Span.Builder span;

    private TestSpan(UUID traceId, ByteString parent, Random random) {
        this.traceId = traceId;
        byte[] id = new byte[8];
        random.nextBytes(id);
        span = Span.newBuilder()
                .setTraceId(ByteString.copyFrom(bytes(traceId)))
                .setSpanId(ByteString.copyFrom(id))
                .setParentSpanId(parent)
                .setName("answer")
                .setKind(Span.SpanKind.SPAN_KIND_CLIENT)
                .setStartTimeUnixNano(START)
                .setEndTimeUnixNano(START + 1_000_000_000L);
    }

    static TestSpan root() {
        return new TestSpan(UUID.randomUUID(), ByteString.EMPTY, new Random());
    }

    static TestSpan below(TestSpan parent) {
        return new TestSpan(parent.traceId, parent.span.getSpanId(), new Random());
    }

    /** Returns another span without a parent in the same trace. */
    static TestSpan siblingRoot(TestSpan other) {
        return new TestSpan(other.traceId, ByteString.EMPTY, new Random());
    }

    TestSpan with(String attribute, String value) {
        span.addAttributes(KeyValue.newBuilder().setKey(attribute).setValue(AnyValue.newBuilder().setStringValue(value)));
        return this;
    }

    TestSpan with(String attribute, long value) {
        span.addAttributes(KeyValue.newBuilder().setKey(attribute).setValue(AnyValue.newBuilder().setIntValue(value)));
        return this;
    }

    TestSpan startingAfter(long nanos) {
        span.setStartTimeUnixNano(START + nanos);
        return this;
    }

    Span.Builder builder() {
        return span;
    }

    UUID traceId() {
        return traceId;
    }

    /** Returns the id of the span's run unless the span is the root. */
    UUID id() {
        return NameIds.of(traceId, HexFormat.of().formatHex(span.getSpanId().toByteArray()));
    }

    static ExportTraceServiceRequest request(TestSpan... spans) {
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        var resource = request.addResourceSpansBuilder();
        resource.getResourceBuilder().addAttributes(KeyValue.newBuilder().setKey("service.name")
                .setValue(AnyValue.newBuilder().setStringValue("shop")));
        var scope = resource.addScopeSpansBuilder();
        scope.getScopeBuilder().setName("tests").setVersion("1");
        for (TestSpan span : spans) {
            scope.addSpans(span.span);
        }
        return request.build();
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
    }
}
