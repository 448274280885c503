package dev.waybill.experiment.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.google.protobuf.ByteString;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.trace.v1.Span.Event;
import io.opentelemetry.proto.trace.v1.Span.Link;
import io.opentelemetry.proto.trace.v1.Status;

class SpanReaderTest {

    @Test
    void parsesBothEncodingsAlike() {
        // Given
        ExportTraceServiceRequest request = request();

        // When
        List<Span> protobuf = OtlpEncoding.PROTOBUF.read(bytes(request.toByteArray()), limits());
        List<Span> json = OtlpEncoding.JSON.read(bytes(OtlpJson.of(request)), limits());

        // Then
        assertThat(protobuf).hasSize(2);
        assertThat(json).usingRecursiveComparison().isEqualTo(protobuf);
        Span span = protobuf.getFirst();
        assertThat(span.attributes).containsEntry("text", "ä€😀").containsEntry("number", -7L).containsEntry("real", 0.5)
                .containsEntry("truth", true).containsEntry("list", List.of("a", List.of(1L))).containsKey("empty");
        assertThat(span.attributes.get("bytes")).isEqualTo(new byte[] { 0, -1 });
        assertThat(span.source.resource).containsEntry("service.name", "shop");
        assertThat(span.source.scopeName).isEqualTo("tests");
        assertThat(span.events.getFirst().name).isEqualTo("exception");
        assertThat(span.links.getFirst().spanId).hasSize(8);
        assertThat(span.statusCode).isEqualTo(Span.ERROR);
        assertThat(span.startNanos).isEqualTo(TestSpan.START);
    }

    @ParameterizedTest
    @ValueSource(strings = { "null", "[]", "7", "{\"resourceSpans\": {}}", "{\"resourceSpans\": [7]}", "{", "",
            "{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": [{\"traceId\": \"xyz\"}]}]}]}",
            "{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": [{\"startTimeUnixNano\": \"soon\"}]}]}]}",
            "{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": [{\"kind\": 99999999999}]}]}]}",
            "{\"resourceSpans\": [{\"resource\": {\"attributes\": [{\"value\": {\"intValue\": \"9999999999999999999\"}}]}}]}" })
    void returns400ForMalformedJson(String body) {
        assertThatThrownBy(() -> OtlpEncoding.JSON.read(bytes(body), limits())).isInstanceOfSatisfying(ProblemException.class,
                problem -> assertThat(problem.type()).isEqualTo(CommonProblem.MALFORMED_REQUEST));
    }

    @Test
    void ignoresUnknownMembersAndNulls() {
        // When
        List<Span> spans = OtlpEncoding.JSON.read(bytes("""
                {"later": {"a": [1]}, "resourceSpans": [{"resource": null, "scopeSpans": [{"scope": null, "spans": [
                    {"traceId": "00", "new": {}, "kind": "SPAN_KIND_SERVER", "flags": 1, "startTimeUnixNano": 5,
                     "attributes": [{"key": "a", "value": null}, {"key": "b", "value": {"doubleValue": "NaN"}}]}]}]}]}
                """), limits());

        // Then
        assertThat(spans).singleElement().satisfies(span -> {
            assertThat(span.kind).isEqualTo(2);
            assertThat(span.startNanos).isEqualTo(5);
            assertThat(span.attributes).containsEntry("a", null).containsEntry("b", Double.NaN);
        });
    }

    @Test
    void parsesOrRejectsTruncatedAndChangedBodies() {
        // Given
        byte[] complete = request().toByteArray();
        Random random = new Random(7);

        for (int i = 0; i < complete.length; i++) {
            byte[] changed = complete.clone();
            changed[i] = (byte) random.nextInt();
            for (byte[] body : List.of(Arrays.copyOf(complete, i), changed)) {
                // When / Then
                try {
                    assertThat(OtlpEncoding.PROTOBUF.read(bytes(body), limits())).isNotNull();
                } catch (ProblemException e) {
                    assertThat(e.type()).isEqualTo(CommonProblem.MALFORMED_REQUEST);
                }
            }
        }
    }

    @Test
    void returns413ForTooManyObjects() {
        // Given
        ExportTraceServiceRequest.Builder spans = ExportTraceServiceRequest.newBuilder();
        var scope = spans.addResourceSpansBuilder().addScopeSpansBuilder();
        for (int i = 0; i < 101; i++) {
            scope.addSpansBuilder();
        }
        ExportTraceServiceRequest.Builder values = ExportTraceServiceRequest.newBuilder();
        var resource = values.addResourceSpansBuilder().getResourceBuilder();
        for (int i = 0; i < 1001; i++) {
            resource.addAttributesBuilder();
        }

        // When / Then
        for (ExportTraceServiceRequest request : List.of(spans.build(), values.build())) {
            for (OtlpEncoding encoding : OtlpEncoding.values()) {
                byte[] body = encoding == OtlpEncoding.JSON ? OtlpJson.of(request).getBytes(StandardCharsets.UTF_8)
                        : request.toByteArray();
                assertThatThrownBy(() -> encoding.read(bytes(body), limits())).isInstanceOfSatisfying(ProblemException.class,
                        problem -> assertThat(problem.type()).isEqualTo(CommonProblem.TOO_LARGE));
            }
        }
    }

    @Test
    void returns400ForDeepNesting() {
        // Given
        AnyValue value = AnyValue.newBuilder().setStringValue("x").build();
        for (int i = 0; i < 90; i++) {
            value = AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(value)).build();
        }
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        request.addResourceSpansBuilder().getResourceBuilder().addAttributesBuilder().setValue(value);

        // When / Then
        assertThatThrownBy(() -> OtlpEncoding.PROTOBUF.read(bytes(request.build().toByteArray()), limits()))
                .isInstanceOf(ProblemException.class).hasMessageContaining("nested");
    }

    private static ExportTraceServiceRequest request() {
        TestSpan root = TestSpan.root().with("text", "ä€😀").with("number", -7);
        root.builder()
                .addAttributes(attribute("real", AnyValue.newBuilder().setDoubleValue(0.5)))
                .addAttributes(attribute("truth", AnyValue.newBuilder().setBoolValue(true)))
                .addAttributes(
                        attribute("bytes", AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[] { 0, -1 }))))
                .addAttributes(attribute("empty", AnyValue.newBuilder()))
                .addAttributes(attribute("list", AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder()
                        .addValues(AnyValue.newBuilder().setStringValue("a"))
                        .addValues(AnyValue.newBuilder().setArrayValue(
                                ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setIntValue(1)))))))
                .addAttributes(attribute("map", AnyValue.newBuilder().setKvlistValue(KeyValueList.newBuilder()
                        .addValues(attribute("inner", AnyValue.newBuilder().setStringValue("x"))))))
                .addEvents(Event.newBuilder().setName("exception").setTimeUnixNano(TestSpan.START + 5)
                        .addAttributes(attribute("exception.type", AnyValue.newBuilder().setStringValue("E"))))
                .addLinks(Link.newBuilder().setTraceId(ByteString.copyFrom(new byte[16]))
                        .setSpanId(ByteString.copyFrom(new byte[8])))
                .setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR).setMessage("no"));
        return TestSpan.request(root, TestSpan.below(root));
    }

    private static KeyValue attribute(String key, AnyValue.Builder value) {
        return KeyValue.newBuilder().setKey(key).setValue(value).build();
    }

    private static SpanLimits limits() {
        return new SpanLimits(100, 1000);
    }

    private static Bytes bytes(String text) {
        return Bytes.of(text);
    }

    private static Bytes bytes(byte[] content) {
        return new Bytes(content, 0, content.length);
    }
}
