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

/** Tests that responses to ids of another workspace equal those to unknown ids. */
class ForeignIdsIT {

    private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

    private static Workspace foreignWorkspace;
    private static Workspace ownWorkspace;
    private static String foreignSession;
    private static String foreignDestination;
    private static String foreignExport;
    private static String foreignRun;

    private final Http http = new Http();

    static Stream<Arguments> requests() {
        prepare();
        return Stream.of(
                Arguments.of(ServiceKind.EXPERIMENT, "GET", "/api/v1/sessions/{id}", foreignSession, null),
                Arguments.of(ServiceKind.EXPERIMENT, "PATCH", "/api/v1/sessions/{id}", foreignSession,
                        "{\"description\": \"x\"}"),
                Arguments.of(ServiceKind.EXPERIMENT, "DELETE", "/api/v1/sessions/{id}", foreignSession, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/destinations/{id}", foreignDestination, null),
                Arguments.of(ServiceKind.EXPORT, "PATCH", "/api/v1/bulk-exports/destinations/{id}", foreignDestination,
                        "{\"credentials\": {\"access_key_id\": \"AKIA0000\", \"secret_access_key\": \"x\"}}"),
                Arguments.of(ServiceKind.EXPORT, "DELETE", "/api/v1/bulk-exports/destinations/{id}", foreignDestination, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}", foreignExport, null),
                Arguments.of(ServiceKind.EXPORT, "PATCH", "/api/v1/bulk-exports/{id}", foreignExport,
                        "{\"status\": \"Cancelled\"}"),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}/runs", foreignExport, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/{id}/snippets", foreignExport, null),
                Arguments.of(ServiceKind.EXPORT, "GET", "/api/v1/bulk-exports/" + foreignExport + "/runs/{id}", foreignRun,
                        null),
                Arguments.of(ServiceKind.EXPORT, "POST", "/api/v1/bulk-exports", foreignSession,
                        exportRequest(ownWorkspace.destination().toString(), "{id}")),
                Arguments.of(ServiceKind.EXPORT, "POST", "/api/v1/bulk-exports", foreignDestination,
                        exportRequest("{id}", ownSession())),
                Arguments.of(ServiceKind.CONTROL_PLANE, "DELETE", "/v1/api-keys/{id}", foreignKey(), null));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void foreignIdIsNotFound(ServiceKind service, String method, String path, String foreignId, String body) {
        // When
        String unknownId = UUID.randomUUID().toString();
        Http.Response foreign = send(service, method, path, foreignId, body);
        Http.Response unknown = send(service, method, path, unknownId, body);

        // Then
        assertThat(foreign.status()).as(foreign.body()).isEqualTo(404);
        assertThat(comparable(foreign, foreignId)).isEqualTo(comparable(unknown, unknownId));
    }

    @Test
    void foreignWorkspaceInHeaderIsForbidden() {
        prepare();
        for (ServiceKind service : new ServiceKind[] { ServiceKind.EXPORT, ServiceKind.EXPERIMENT }) {
            String path = service == ServiceKind.EXPORT ? "/api/v1/bulk-exports" : "/api/v1/sessions";
            Http.Response response = http.send(HttpRequest.newBuilder(ownWorkspace.running().address(service).resolve(path))
                    .header("X-Api-Key", ownWorkspace.apiKey())
                    .header("X-Tenant-Id", foreignWorkspace.tenantId())
                    .build());
            assertThat(response.status()).as(response.body()).isEqualTo(403);
        }
    }

    @Test
    void listsExcludeForeignResources() {
        prepare();
        assertThat(list(ServiceKind.EXPERIMENT, "/api/v1/sessions")).doesNotContain(foreignSession);
        assertThat(list(ServiceKind.EXPORT, "/api/v1/bulk-exports")).doesNotContain(foreignExport);
        assertThat(list(ServiceKind.EXPORT, "/api/v1/bulk-exports/destinations")).doesNotContain(foreignDestination);
        assertThat(list(ServiceKind.CONTROL_PLANE, "/v1/api-keys")).doesNotContain(foreignWorkspace.apiKey().substring(0, 11));
        assertThat(list(ServiceKind.CONTROL_PLANE, "/v1/workspaces")).doesNotContain(foreignWorkspace.tenantId());
    }

    @Test
    void runWithForeignIdLeavesForeignRunUnchanged() {
        // Given
        prepare();
        JsonNode run = HandmadeRun.in("shared-id", START).json();
        foreignWorkspace.load(Stream.of(run));
        Http.Response patched = http.send(HttpRequest.newBuilder(ownWorkspace.running().address(ServiceKind.EXPERIMENT)
                .resolve("/runs/" + run.get("id").textValue()))
                .header("X-Api-Key", ownWorkspace.apiKey())
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString("{\"outputs\": {\"answer\": \"own\"}}"))
                .build());

        // When
        ownWorkspace.load(Stream.of(((ObjectNode) run.deepCopy()).put("name", "own")));

        // Then
        assertThat(patched.status()).isEqualTo(202);
        assertThat(TableText.value("SELECT string_agg(name, ',' ORDER BY name) FROM trace.runs WHERE id = '"
                + run.get("id").textValue() + "'")).isEqualTo("handmade,own");
        assertThat(TableText.value("SELECT outputs FROM trace.runs WHERE name = 'handmade' AND id = '"
                + run.get("id").textValue() + "'")).contains("On its way");
    }

    private static synchronized void prepare() {
        if (foreignWorkspace != null) {
            return;
        }
        ownWorkspace = Workspace.create("ours");
        foreignWorkspace = Workspace.create("theirs");
        foreignWorkspace.load(Stream.of(HandmadeRun.in("theirs", START).json()));
        UUID session = foreignWorkspace.session("theirs").id();
        UUID export = foreignWorkspace.order(session, START, START.plusSeconds(60), "v1", "gzip");
        foreignWorkspace.awaitCompleted(export);
        foreignSession = session.toString();
        foreignDestination = foreignWorkspace.destination().toString();
        foreignExport = export.toString();
        foreignRun = foreignWorkspace.exporter().runs(export).getFirst().id().toString();
    }

    private static String ownSession() {
        ownWorkspace.load(Stream.of(HandmadeRun.in("ours", START).json()));
        return ownWorkspace.session("ours").id().toString();
    }

    private static String foreignKey() {
        URI control = foreignWorkspace.running().address(ServiceKind.CONTROL_PLANE);
        return foreignWorkspace.client().controlPlane(control).listApiKeys(null, null).resources().getFirst().id().toString();
    }

    private static String exportRequest(String destination, String session) {
        return Json.object().put("bulk_export_destination_id", destination).put("session_id", session)
                .put("start_time", START.toString()).put("end_time", START.plusSeconds(60).toString()).toString();
    }

    private Http.Response send(ServiceKind service, String method, String path, String id, String body) {
        return http.send(method, ownWorkspace.running().address(service).resolve(path.replace("{id}", id)),
                ownWorkspace.apiKey(),
                body == null ? null : body.replace("{id}", id));
    }

    private String list(ServiceKind service, String path) {
        Http.Response response = http.send("GET", ownWorkspace.running().address(service).resolve(path), ownWorkspace.apiKey(),
                null);
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    /** Returns the response without members that differ between requests. */
    private static String comparable(Http.Response response, String id) {
        ObjectNode body = (ObjectNode) response.json();
        body.remove("request_id");
        return response.status() + body.toString().replace(id, "{id}");
    }
}
