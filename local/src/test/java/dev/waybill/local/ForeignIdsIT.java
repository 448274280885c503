package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;

/** Another workspace's things are as little there as things that nobody has: the answers differ in nothing but the id. */
class ForeignIdsIT {

    private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

    private static Workspace theirs;
    private static Workspace ours;
    private static String theirSession;
    private static String theirDestination;
    private static String theirExport;
    private static String theirRun;

    private final Http http = new Http();

    static Stream<Arguments> questions() {
        prepare();
        return Stream.of(
                Arguments.of(ServiceKind.EXPERIMENT, "GET", "/api/v1/sessions/{id}", theirSession, null),
                Arguments.of(ServiceKind.EXPERIMENT, "PATCH", "/api/v1/sessions/{id}", theirSession,
                        "{\"description\": \"x\"}"),
                Arguments.of(ServiceKind.EXPERIMENT, "DELETE", "/api/v1/sessions/{id}", theirSession, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/destinations/{id}", theirDestination, null),
                Arguments.of(ServiceKind.EXPORT, "PATCH", "/api/v1/bulk-exports/destinations/{id}", theirDestination,
                        "{\"credentials\": {\"access_key_id\": \"AKIA0000\", \"secret_access_key\": \"x\"}}"),
                Arguments.of(ServiceKind.EXPORT, "DELETE", "/api/v1/bulk-exports/destinations/{id}", theirDestination, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}", theirExport, null),
                Arguments.of(ServiceKind.EXPORT, "PATCH", "/api/v1/bulk-exports/{id}", theirExport,
                        "{\"status\": \"Cancelled\"}"),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}/runs", theirExport, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}/snippets", theirExport, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/" + theirExport + "/runs/{id}", theirRun, null),
                Arguments.of(ServiceKind.EXPORT, "POST", "/api/v1/bulk-exports", theirSession,
                        order(ours.destination(), "{id}")),
                Arguments.of(ServiceKind.EXPORT, "POST", "/api/v1/bulk-exports", theirDestination, order("{id}", ourSession())),
                Arguments.of(ServiceKind.CONTROL_PLANE, "DELETE", "/v1/api-keys/{id}", theirKey(), null));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void isNotThere(ServiceKind service, String method, String path, String foreignId, String body) {
        // When
        String nobodys = UUID.randomUUID().toString();
        Http.Answer foreign = ask(service, method, path, foreignId, body);
        Http.Answer unknown = ask(service, method, path, nobodys, body);

        // Then
        assertThat(foreign.status()).as(foreign.body()).isEqualTo(404);
        assertThat(told(foreign, foreignId)).isEqualTo(told(unknown, nobodys));
    }

    @Test
    void theirWorkspaceInTheHeaderIsForbidden() {
        prepare();
        for (ServiceKind service : new ServiceKind[] { ServiceKind.EXPORT, ServiceKind.EXPERIMENT }) {
            String path = service == ServiceKind.EXPORT ? "/api/v1/bulk-exports" : "/api/v1/sessions";
            Http.Answer answer = http.send(HttpRequest.newBuilder(ours.running().address(service).resolve(path))
                    .header("X-Api-Key", ours.apiKey())
                    .header("X-Tenant-Id", theirs.tenantId())
                    .build());
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        }
    }

    @Test
    void listsHoldNothingOfTheirs() {
        prepare();
        assertThat(list(ServiceKind.EXPERIMENT, "/api/v1/sessions")).doesNotContain(theirSession);
        assertThat(list(ServiceKind.EXPORT, "/api/v1/bulk-exports")).doesNotContain(theirExport);
        assertThat(list(ServiceKind.EXPORT, "/api/v1/bulk-exports/destinations")).doesNotContain(theirDestination);
        assertThat(list(ServiceKind.CONTROL_PLANE, "/v1/api-keys")).doesNotContain(theirs.apiKey().substring(0, 11));
        assertThat(list(ServiceKind.CONTROL_PLANE, "/v1/workspaces")).doesNotContain(theirs.tenantId());
    }

    @Test
    void aRunWithTheirIdIsOursAndTheirsStaysAsItIs() {
        // Given
        prepare();
        JsonNode run = HandmadeRun.in("shared-id", START).json();
        theirs.load(Stream.of(run));
        Http.Answer patched = http.send(HttpRequest.newBuilder(ours.running().address(ServiceKind.EXPERIMENT)
                .resolve("/runs/" + run.get("id").textValue()))
                .header("X-Api-Key", ours.apiKey())
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString("{\"outputs\": {\"answer\": \"ours\"}}"))
                .build());

        // When
        ours.load(Stream.of(((ObjectNode) run.deepCopy()).put("name", "ours")));

        // Then
        assertThat(patched.status()).isEqualTo(202);
        assertThat(TableText.value("SELECT string_agg(name, ',' ORDER BY name) FROM trace.runs WHERE id = '"
                + run.get("id").textValue() + "'")).isEqualTo("handmade,ours");
        assertThat(TableText.value("SELECT outputs FROM trace.runs WHERE name = 'handmade' AND id = '"
                + run.get("id").textValue() + "'")).contains("On its way");
    }

    private static synchronized void prepare() {
        if (theirs != null) {
            return;
        }
        ours = Workspace.create("ours");
        theirs = Workspace.create("theirs");
        theirs.load(Stream.of(HandmadeRun.in("theirs", START).json()));
        theirSession = theirs.session("theirs").get("id").textValue();
        theirDestination = theirs.destination();
        theirExport = theirs.order(theirSession, START, START.plusSeconds(60), "v1", "gzip");
        theirs.awaitCompleted(theirExport);
        theirRun = theirs.exporter().runs(theirExport).get(0).get("id").textValue();
    }

    private static String ourSession() {
        ours.load(Stream.of(HandmadeRun.in("ours", START).json()));
        return ours.session("ours").get("id").textValue();
    }

    private static String theirKey() {
        URI keys = theirs.running().address(ServiceKind.CONTROL_PLANE).resolve("/v1/api-keys");
        return theirs.client().get(keys).get("resources").get(0).get("id").textValue();
    }

    private static String order(String destination, String session) {
        return Json.object().put("bulk_export_destination_id", destination).put("session_id", session)
                .put("start_time", START.toString()).put("end_time", START.plusSeconds(60).toString()).toString();
    }

    private Http.Answer ask(ServiceKind service, String method, String path, String id, String body) {
        return http.send(method, ours.running().address(service).resolve(path.replace("{id}", id)), ours.apiKey(),
                body == null ? null : body.replace("{id}", id));
    }

    private String list(ServiceKind service, String path) {
        Http.Answer answer = http.send("GET", ours.running().address(service).resolve(path), ours.apiKey(), null);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** What an answer tells, without what differs from request to request. */
    private static String told(Http.Answer answer, String id) {
        ObjectNode body = (ObjectNode) answer.json();
        body.remove("request_id");
        return answer.status() + body.toString().replace(id, "{id}");
    }
}
