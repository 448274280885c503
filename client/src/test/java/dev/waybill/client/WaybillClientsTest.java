package dev.waybill.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.client.ThreadClient.NewThread;
import dev.waybill.client.ThreadClient.Superstep;
import dev.waybill.client.ThreadClient.SuperstepUpdate;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.api.experiment.UploadExperimentRequest;
import dev.waybill.common.api.experiment.UploadedFeedback;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.trace.RunResponse;

class WaybillClientsTest {

    private static final UUID ID = UUID.fromString("019aa39c-0c26-7b30-8f5a-3d2b1f0c9e77");

    private HttpServer server;
    private WaybillClients clients;
    private URI address;
    private Received received;
    private int status = 200;
    private String response = "{}";

    /** The last request. */
    private record Received(String method, String uri, String key, String accept, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::respond);
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        clients = WaybillClients.of("wb_key");
    }

    @AfterEach
    void stop() {
        clients.close();
        server.stop(0);
    }

    private void respond(HttpExchange exchange) throws IOException {
        received = new Received(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("X-Api-Key"), exchange.getRequestHeaders().getFirst("Accept"),
                exchange.getRequestBody().readAllBytes());
        byte[] body = response.getBytes(StandardCharsets.UTF_8);
        if ("text/event-stream".equals(received.accept())) {
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream;charset=UTF-8");
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Test
    void sendsRecordsAndReadsRecords() {
        response = """
                {"id": "%1$s", "tenant_id": "%1$s", "bulk_export_destination_id": "%1$s", "session_id": "%1$s",
                 "status": "TimedOut", "start_time": "2026-01-05T00:00:00.000000Z", "format": "Parquet", "later": 1,
                 "progress": {"runs_total": 2, "runs_completed": 1, "rows_exported": 3, "bytes_exported": 4}}""".formatted(ID);
        CreateBulkExportRequest request = new CreateBulkExportRequest(ID, ID, Instant.parse("2026-01-05T00:00:00Z"),
                Instant.parse("2026-01-06T00:00:00Z"), null, null, null, null, "v2_beta", null);

        BulkExportResponse export = clients.exports(address).createBulkExport(request);

        assertThat(received.method() + " " + received.uri()).isEqualTo("POST /api/v1/bulk-exports");
        assertThat(received.key()).isEqualTo("wb_key");
        assertThat(WireJson.read(received.text())).contains(JsonNodeFactory.instance.objectNode()
                .put("bulk_export_destination_id", ID.toString())
                .put("session_id", ID.toString())
                .put("start_time", "2026-01-05T00:00:00Z")
                .put("end_time", "2026-01-06T00:00:00Z")
                .put("format_version", "v2_beta"));
        assertThat(export.status()).isEqualTo(BulkExportStatus.TIMED_OUT);
        assertThat(export.progress().rowsExported()).isEqualTo(3);
    }

    @Test
    void newThreadHasItsStates() {
        response = "{\"thread_id\": \"%s\"}".formatted(ID);
        JsonNode values = JsonNodeFactory.instance.objectNode().put("topic", "tea");
        NewThread thread = new NewThread(null, Map.of("graph_id", "agent"), null, null,
                List.of(new Superstep(List.of(new SuperstepUpdate(values, null, "plan")))));

        assertThat(clients.threads(address).startThread(thread).threadId()).isEqualTo(ID);

        assertThat(received.method() + " " + received.uri()).isEqualTo("POST /threads");
        assertThat(WireJson.read(received.text())).contains(WireJson.read("""
                {"metadata": {"graph_id": "agent"},
                 "supersteps": [{"updates": [{"values": {"topic": "tea"}, "as_node": "plan"}]}]}""").orElseThrow());
    }

    @Test
    void readsBooleanScoresAsNumbers() throws IOException {
        String upload = """
                {"results": [{"evaluation_scores": [{"key": "a", "score": true}, {"key": "b", "score": false},
                 {"key": "c", "score": 0.5}, {"key": "d", "score": null}]}]}""";

        UploadExperimentRequest request = WaybillClients.mapper().readValue(upload, UploadExperimentRequest.class);

        assertThat(request.results().getFirst().evaluationScores()).extracting(UploadedFeedback::score)
                .containsExactly(BigDecimal.ONE, BigDecimal.ZERO, new BigDecimal("0.5"), null);
    }

    @Test
    void encodesParametersAndOmitsAbsentOnes() {
        response = "[]";

        clients.experiments(address).listDatasets("kv", List.of(ID, ID), 5, null, "a b+c&d/ü", null, null);

        assertThat(URI.create(received.uri()).getPath()).isEqualTo("/api/v1/datasets");
        assertThat(URI.create(received.uri()).getRawQuery().split("&")).containsExactlyInAnyOrder("data_type=kv", "id=" + ID,
                "id=" + ID, "limit=5", "name=a%20b%2Bc%26d%2F%C3%BC");
    }

    @Test
    void findsSessionByName() {
        response = "[]";

        assertThat(clients.traces(address).findSession("support")).isEmpty();

        assertThat(URI.create(received.uri()).getQuery().split("&")).containsExactlyInAnyOrder("limit=1", "name=support");
    }

    @Test
    void readsEnumsAndNulls() {
        response = """
                {"organization_id": "%s", "plan": "enterprise", "tenant_id": null, "role": "admin"}""".formatted(ID);

        var caller = clients.controlPlane(address).whoami();

        assertThat(caller.plan()).isEqualTo(Plan.ENTERPRISE);
        assertThat(caller.role()).isEqualTo(KeyRole.ADMIN);
        assertThat(caller.tenantId()).isNull();
    }

    @Test
    void keepsJsonOfRunsUnchanged() {
        String inputs = "{\"big\":12345678901234567890.1230,\"nothing\":null,\"text\":\"\\u0000ü\"}";
        response = "{\"id\": \"" + ID + "\", \"inputs\": " + inputs + ", \"outputs\": null, \"total_cost\": \"0.100\"}";

        RunResponse run = clients.traces(address).getRun(ID);

        assertThat(WireJson.read(run.inputs())).isEqualTo(WireJson.read(inputs));
        assertThat(run.inputs()).contains("12345678901234567890.1230");
        assertThat(run.outputs()).isNull();
        assertThat(run.totalCost()).isEqualTo("0.100");
    }

    @Test
    void returnsNothingForEmptyResponses() {
        status = 204;
        response = "";

        clients.controlPlane(address).deleteDeployment(ID);

        assertThat(received.method() + " " + received.uri()).isEqualTo("DELETE /v2/deployments/" + ID);
    }

    @Test
    void errorsCarryTheProblem() {
        status = 422;
        response = """
                {"type": "urn:waybill:problem:invalid", "title": "Invalid request", "status": 422, "request_id": "r-1",
                 "detail": "`name` is required.", "errors": [{"loc": ["name"], "message": "is required", "type": "missing"}]}""";

        assertThatExceptionOfType(WaybillException.class)
                .isThrownBy(() -> clients.controlPlane(address).getDeployment(ID))
                .withMessageContaining("GET ").withMessageContaining("returned 422")
                .satisfies(error -> {
                    assertThat(error.status()).isEqualTo(422);
                    assertThat(error.type()).endsWith(":invalid");
                    assertThat(error.title()).isEqualTo("Invalid request");
                    assertThat(error.detail()).isEqualTo("`name` is required.");
                    assertThat(error.requestId()).isEqualTo("r-1");
                    assertThat(error.errors()).singleElement().extracting(each -> each.at("/loc/0").asText()).isEqualTo("name");
                });
    }

    @Test
    void errorsWithoutProblemHaveTheStatus() {
        status = 502;
        response = "<html>";

        assertThatExceptionOfType(WaybillException.class)
                .isThrownBy(() -> clients.deployment(address).getOk())
                .satisfies(error -> assertThat(error.status()).isEqualTo(502))
                .satisfies(error -> assertThat(error.detail()).isNull());
    }

    @Test
    void unreachableServiceIsAnErrorOfTheConnection() {
        server.stop(0);

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> clients.deployment(address).getOk());
    }

    @Test
    void endOfTheConnectionWithinABodyIsAnErrorOfTheConnection() {
        server.createContext("/v1/whoami", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            throw new IOException("ends the connection");
        });

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> clients.controlPlane(address).whoami());
    }

    @Test
    void headersCanBeAddedToClients() throws IOException {
        List<String> keys = new ArrayList<>();
        server.createContext("/v1/workspaces", exchange -> {
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            respond(exchange);
        });
        response = "{\"resources\": [], \"offset\": 0}";

        clients.withHeader("Idempotency-Key", "once").controlPlane(address).listWorkspaces(null, null);
        clients.controlPlane(address).listWorkspaces(null, null);

        assertThat(keys).containsExactly("once", null);
    }

    @Test
    void sendsJsonThatNoInterfaceCovers() {
        response = "{\"later\": 1.10}";

        JsonNode answer = clients.json().patch(address.resolve("/v9/things?x=1"),
                JsonNodeFactory.instance.objectNode().put("a", 1));

        assertThat(received.method() + " " + received.uri() + " " + received.text())
                .isEqualTo("PATCH /v9/things?x=1 {\"a\":1}");
        assertThat(received.key()).isEqualTo("wb_key");
        assertThat(answer).hasToString("{\"later\":1.10}");
        status = 404;
        assertThatExceptionOfType(WaybillException.class).isThrownBy(() -> clients.json().get(address));
    }

    @Test
    void sendsRunsInParts() throws IOException {
        status = 202;
        JsonNode run = JsonNodeFactory.instance.objectNode().put("id", ID.toString())
                .set("inputs", JsonNodeFactory.instance.objectNode().put("question", "why?"));

        clients.traces(address).postRunsMultipart(new RunsMultipart().post(run).patch(run));

        String sent = new String(new GZIPInputStream(new java.io.ByteArrayInputStream(received.body())).readAllBytes(),
                StandardCharsets.UTF_8);
        assertThat(sent).contains("name=\"post." + ID + "\"", "name=\"patch." + ID + ".inputs\"", "{\"question\":\"why?\"}");
    }

    @Test
    void iteratesOverTheEventsOfARun() {
        response = """
                : comment

                id: 1
                event: metadata
                data: {"run_id":"r"}

                event: updates
                data: {"a":
                data: 1}

                event:end
                data:null

                """;
        List<RunEvent> events = new ArrayList<>();

        try (RunStream stream = clients.deployment(address)
                .streamRun(RunRequest.of("agent", JsonNodeFactory.instance.objectNode())
                        .withStreamMode("updates"))) {
            stream.forEach(events::add);
        }

        assertThat(received.accept()).isEqualTo("text/event-stream");
        assertThat(received.text()).isEqualTo("{\"assistant_id\":\"agent\",\"input\":{},\"stream_mode\":[\"updates\"]}");
        assertThat(events).extracting(RunEvent::name).containsExactly("metadata", "updates", "end");
        assertThat(events.get(0).id()).isEqualTo("1");
        assertThat(events.get(1).data().path("a").asInt()).isEqualTo(1);
    }

    @Test
    void publishesTheEventsOfARunOnDemand() {
        response = "event: a\ndata: 1\n\n".repeat(100);
        CompletableFuture<Integer> count = new CompletableFuture<>();

        clients.deployment(address).joinRun(ID, null).subscribe(new Flow.Subscriber<>() {

            private int events;
            private Flow.Subscription subscription;

            @Override
            public void onSubscribe(Flow.Subscription started) {
                subscription = started;
                subscription.request(1);
            }

            @Override
            public void onNext(RunEvent event) {
                events++;
                subscription.request(1);
            }

            @Override
            public void onError(Throwable error) {
                count.completeExceptionally(error);
            }

            @Override
            public void onComplete() {
                count.complete(events);
            }
        });

        assertThat(count.join()).isEqualTo(100);
    }

    @Test
    void unreadableEventsEndThePublisherWithAnError() {
        response = "data: {\n\n";
        CompletableFuture<Object> end = new CompletableFuture<>();

        clients.deployment(address).joinRun(ID, null).subscribe(new Flow.Subscriber<>() {

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(RunEvent event) {
                end.complete(event);
            }

            @Override
            public void onError(Throwable error) {
                end.completeExceptionally(error);
            }

            @Override
            public void onComplete() {
                end.complete("completed");
            }
        });

        assertThatExceptionOfType(CompletionException.class).isThrownBy(end::join)
                .withCauseInstanceOf(UncheckedIOException.class);
    }
}
