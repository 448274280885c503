package dev.waybill.experiment.otlp;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.google.protobuf.ByteString;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Compression;
import dev.waybill.experiment.Rows;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;

@QuarkusTest
class OtlpIntakeTest {

    private static final String PROTOBUF = "application/x-protobuf";
    private static final String JSON = "application/json";

    private final Account account = Accounts.account().role("member").create();

    @Inject
    SpanTreeUpdater treeUpdater;

    @Test
    void storesSpansOfTheOpenTelemetryExporter() {
        // Given
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(RestAssured.baseURI + ":" + RestAssured.port + "/otel/v1/traces")
                .addHeader("X-Api-Key", account.key())
                .addHeader("Langsmith-Project", "exported")
                .setCompression("gzip")
                .build();
        List<Span> ended = new ArrayList<>();
        try (SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build()) {
            Tracer tracer = provider.get("tests");

            // When
            Span root = tracer.spanBuilder("conversation").startSpan();
            try (Scope _ = root.makeCurrent()) {
                Span chat = tracer.spanBuilder("chat gpt").setParent(Context.current()).startSpan();
                chat.setAttribute("gen_ai.operation.name", "chat");
                chat.setAttribute("gen_ai.usage.input_tokens", 12L);
                chat.setAttribute(AttributeKey.stringArrayKey("gen_ai.response.finish_reasons"), List.of("stop"));
                chat.recordException(new IllegalStateException("no quota"));
                chat.setStatus(StatusCode.ERROR);
                chat.end();
                ended.add(chat);
            }
            root.end();
            ended.add(root);
            assertThat(provider.forceFlush().join(2, TimeUnit.MINUTES).isSuccess()).isTrue();
        }

        // Then
        UUID trace = uuid(ended.getFirst().getSpanContext().getTraceId());
        run(trace).then().statusCode(200).body("name", equalTo("conversation")).body("run_type", equalTo("chain"))
                .body("status", equalTo("success"));
        String child = Rows.value("SELECT id FROM trace.runs WHERE parent_run_id = ?", trace);
        run(UUID.fromString(child)).then().body("name", equalTo("chat gpt")).body("run_type", equalTo("llm"))
                .body("prompt_tokens", equalTo(12))
                .body("status", equalTo("error"))
                .body("error", containsString("java.lang.IllegalStateException: no quota"))
                .body("events[0].name", equalTo("exception"))
                .body("extra.metadata.finish_reasons", equalTo(List.of("stop")))
                .body("extra.otel.attributes.'gen_ai.operation.name'", equalTo("chat"));
        assertThat(as(account).get("/api/v1/sessions?name=exported").jsonPath().getList("id")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = { PROTOBUF, JSON })
    void mapsSpansAlikeInBothEncodings(String encoding) {
        // Given
        TestSpan root = TestSpan.root().with("langsmith.trace.session_name", "s").with("user.id", "ada")
                .with("langsmith.span.tags", "a, b").with("gen_ai.operation.name", "chat")
                .with("gen_ai.input.messages", "[{\"role\": \"user\"}]").with("gen_ai.usage.input_tokens", 3)
                .with("gen_ai.usage.output_tokens", 4).with("output.value", "because").with("llm.cost.total", "0.5")
                .with("gen_ai.request.model", "m").with("gen_ai.conversation.id", "t");
        root.builder().addEvents(io.opentelemetry.proto.trace.v1.Span.Event.newBuilder().setName("First Token Stream Event")
                .setTimeUnixNano(TestSpan.START + 2_000));

        // When
        Response response = send(encoding, root);

        // Then
        response.then().statusCode(200).contentType(encoding);
        assertThat(response.asString()).isEqualTo(encoding.equals(JSON) ? "{}" : "");
        run(root.traceId()).then()
                .body("name", equalTo("answer")).body("run_type", equalTo("llm"))
                .body("start_time", equalTo("2026-11-20T08:00:00.123456Z"))
                .body("end_time", equalTo("2026-11-20T08:00:01.123456Z"))
                .body("first_token_time", equalTo("2026-11-20T08:00:00.123458Z"))
                .body("inputs.messages[0].role", equalTo("user"))
                .body("outputs.output", equalTo("because"))
                .body("tags", equalTo(List.of("a", "b")))
                .body("prompt_tokens", equalTo(3)).body("completion_tokens", equalTo(4)).body("total_tokens", equalTo(7))
                .body("total_cost.toString()", containsString("0.5"))
                .body("extra.metadata.user_id", equalTo("ada")).body("extra.metadata.thread_id", equalTo("t"))
                .body("extra.metadata.ls_model_name", equalTo("m")).body("extra.metadata.service_name", equalTo("shop"))
                .body("extra.invocation_params.model", equalTo("m"))
                .body("extra.otel.kind", equalTo("CLIENT"))
                .body("extra.otel.start_time_unix_nano", equalTo(Long.toString(TestSpan.START)))
                .body("extra.otel.resource.'service.name'", equalTo("shop"))
                .body("parent_run_ids", equalTo(List.of()));
    }

    @Test
    void positionsSpansInAnyOrderOfArrival() {
        // Given
        Random random = new Random(20261121);
        TestSpan root = TestSpan.root();
        List<TestSpan> spans = new ArrayList<>(List.of(root));
        Map<UUID, String> positions = new HashMap<>(Map.of(root.traceId(), segment(0, root.traceId())));
        Map<TestSpan, UUID> ids = new HashMap<>(Map.of(root, root.traceId()));
        for (int i = 1; i < 150; i++) {
            TestSpan parent = spans.get(random.nextInt(spans.size()));
            TestSpan span = TestSpan.below(parent).startingAfter(i * 1000L);
            spans.add(span);
            ids.put(span, span.id());
            positions.put(span.id(), positions.get(ids.get(parent)) + "." + segment(i, span.id()));
        }
        Collections.shuffle(spans, random);

        // When
        for (int from = 0; from < spans.size(); from += 25) {
            // Some spans are sent twice.
            List<TestSpan> batch = spans.subList(Math.max(0, from - 5), from + 25);
            send(from % 2 == 0 ? PROTOBUF : JSON, batch.toArray(TestSpan[]::new)).then().statusCode(200);
        }

        // Then
        String stored = Rows.value(
                "SELECT string_agg(dotted_order, E'\n' ORDER BY id::text) FROM trace.runs WHERE trace_id = ?",
                root.traceId());
        assertThat(stored.lines()).containsExactlyInAnyOrderElementsOf(positions.values());
        assertThat(Rows.count("""
                SELECT count(*) FROM trace.runs WHERE trace_id = ? AND (parent_run_id IS DISTINCT FROM
                    parent_run_ids[cardinality(parent_run_ids)] OR right(dotted_order, 36) <> id::text)
                """, root.traceId())).isZero();
    }

    @Test
    void repeatedSpansChangeNothing() {
        // Given
        TestSpan root = TestSpan.root();
        TestSpan child = TestSpan.below(root);
        send(PROTOBUF, root, child, child).then().statusCode(200);
        String before = rowsOf(root);

        // When
        send(PROTOBUF, child).then().statusCode(200);
        send(JSON, root.with("late", "attribute"), child).then().statusCode(200);

        // Then
        assertThat(rowsOf(root)).isEqualTo(before);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE trace_id = ?", root.traceId())).isEqualTo(2);
    }

    @Test
    void storesSeveralSpansWithoutAParent() {
        // Given
        TestSpan first = TestSpan.root();
        TestSpan second = TestSpan.siblingRoot(first).startingAfter(5_000);

        // When
        send(PROTOBUF, second, first).then().statusCode(200);

        // Then
        run(first.traceId()).then().body("extra.otel.span_id", equalTo(hex(first)));
        run(second.id()).then().body("parent_run_id", equalTo(first.traceId().toString()));
    }

    @Test
    void reportsInvalidSpansAndStoresOthers() throws IOException {
        // Given
        TestSpan good = TestSpan.root();
        TestSpan bad = TestSpan.below(good);
        bad.builder().setSpanId(ByteString.copyFrom(new byte[8])).setStartTimeUnixNano(0);

        // When
        Response protobuf = send(PROTOBUF, good, bad);
        Response json = send(JSON, bad);

        // Then
        ExportTraceServiceResponse response = ExportTraceServiceResponse.parseFrom(protobuf.asByteArray());
        assertThat(protobuf.statusCode()).isEqualTo(200);
        assertThat(response.getPartialSuccess().getRejectedSpans()).isEqualTo(1);
        assertThat(response.getPartialSuccess().getErrorMessage()).contains("spans[1]", "span_id", "start_time_unix_nano");
        json.then().statusCode(200).body("partialSuccess.rejectedSpans", equalTo("1"))
                .body("partialSuccess.errorMessage", containsString("span_id"));
        run(good.traceId()).then().statusCode(200);
    }

    @Test
    void returnsErrorsInTheRequestEncoding() throws IOException {
        // When
        Response malformed = as(account).contentType(PROTOBUF).body(new byte[] { 10, 99, 1 }).post("/otel/v1/traces");
        Response unknown = RestAssured.given().contentType(PROTOBUF).body(new byte[0]).post("/otel/v1/traces");
        Response json = as(account).contentType(JSON).body("{").post("/api/v1/otel/v1/traces");

        // Then
        assertThat(malformed.statusCode()).isEqualTo(400);
        assertThat(malformed.contentType()).isEqualTo(PROTOBUF);
        assertThat(text(malformed)).contains("not an ExportTraceServiceRequest");
        assertThat(malformed.asByteArray()).startsWith(8, 3);
        assertThat(unknown.statusCode()).isEqualTo(401);
        json.then().statusCode(400).contentType("application/problem+json").body("detail", containsString("JSON"));
        as(account).contentType("text/plain").body("x").post("/otel/v1/traces").then().statusCode(415);
    }

    @Test
    void returns413ForADecompressionBomb() {
        // When
        Response response = as(account).contentType(PROTOBUF).header("Content-Encoding", "gzip")
                .body(Compression.gzip(new byte[70 << 20])).post("/otel/v1/traces");

        // Then
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(text(response)).contains("decompresses to more than");
    }

    @Test
    void returns413IfASharedResourceExpandsTooMuch() {
        // Given
        TestSpan[] spans = Stream.generate(TestSpan::root).limit(100).toArray(TestSpan[]::new);
        var request = TestSpan.request(spans).toBuilder();
        request.getResourceSpansBuilder(0).getResourceBuilder().addAttributesBuilder().setKey("host")
                .getValueBuilder().setStringValue("x".repeat(1 << 20));

        // When
        Response response = as(account).contentType(PROTOBUF).body(request.build().toByteArray()).post("/otel/v1/traces");

        // Then
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(text(response)).contains("fewer spans");
    }

    @Test
    void acceptsALargeUncompressedExport() {
        // Given
        TestSpan span = TestSpan.root().with("output.value", "x".repeat(3 << 20));

        // When
        Response response = as(account).contentType(PROTOBUF).body(TestSpan.request(span).toByteArray())
                .post("/otel/v1/traces");

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Rows.count("SELECT length(outputs) FROM trace.runs WHERE id = ?", span.traceId())).isGreaterThan(3 << 20);
    }

    @Test
    void deletesOldTraceStructureAndKeepsRuns() {
        // Given
        TestSpan old = TestSpan.root();
        TestSpan young = TestSpan.root();
        send(JSON, old, young);
        Rows.value("UPDATE trace.spans SET received_at = now() - interval '8 days' WHERE trace_id = ?", old.traceId());

        // When
        treeUpdater.deleteExpired().await().indefinitely();

        // Then
        String spans = "SELECT count(*) FROM trace.spans WHERE trace_id = ?";
        assertThat(Rows.count(spans, old.traceId())).isZero();
        assertThat(Rows.count(spans, young.traceId())).isOne();
        run(old.traceId()).then().statusCode(200);
    }

    @Test
    void acceptsAnEmptyExport() {
        as(account).contentType(PROTOBUF).body(new byte[0]).post("/otel/v1/traces").then().statusCode(200);
    }

    private Response send(String encoding, TestSpan... spans) {
        var request = TestSpan.request(spans);
        byte[] body = encoding.equals(JSON) ? OtlpJson.of(request).getBytes(StandardCharsets.UTF_8) : request.toByteArray();
        return as(account).contentType(encoding).header("Content-Encoding", "gzip").body(Compression.gzip(body))
                .post("/otel/v1/traces");
    }

    private Response run(UUID id) {
        return as(account).get("/runs/" + id);
    }

    private static String rowsOf(TestSpan root) {
        return Rows.value("SELECT string_agg(r::text, ',' ORDER BY id) FROM trace.runs r WHERE trace_id = ?", root.traceId());
    }

    private static String text(Response response) {
        return new String(response.asByteArray(), StandardCharsets.UTF_8);
    }

    // The start is truncated to microseconds.
    private static String segment(int number, UUID id) {
        return String.format(Locale.ROOT, "20261120T080000%06dZ", 123456 + number) + id;
    }

    private static String hex(TestSpan span) {
        return java.util.HexFormat.of().formatHex(span.builder().getSpanId().toByteArray());
    }

    private static UUID uuid(String hex) {
        return new UUID(Long.parseUnsignedLong(hex.substring(0, 16), 16), Long.parseUnsignedLong(hex.substring(16), 16));
    }
}
