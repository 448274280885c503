package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.Secrets;
import dev.waybill.local.stack.ServiceKind;

/** Tests that no response, log, table or process listing contains secrets. */
class SecretsIT {

    private static final String CANARY = "canary-Zk3vQ8wPx1TnR7bY5mLd";
    private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
    private static final Duration REVOKED_WITHIN = Duration.ofSeconds(30);

    private final RunningStack running = RunningStack.get();
    private final Workspace workspace = Workspace.create("secrets");
    private final Http http = new Http();

    @Test
    void areNotInResponsesLogsTablesAndProcesses() throws IOException {
        // Given
        Secrets secrets = running.stack.secrets();
        String revoked = revokedKey();

        // When: all operations with secrets, valid and invalid
        String destination = destinations();
        exports(destination);
        accounts(revoked);

        // Then
        List<String> all = List.of(CANARY, workspace.apiKey(), revoked, secrets.s3SecretAccessKey(), secrets.operatorKey(),
                secrets.encryptionKey(), secrets.rolePassword(), secrets.superuserPassword());
        for (String secret : all) {
            assertThat(http.responses())
                    .noneMatch(response -> response.body().contains(secret) || response.headers().contains(secret));
        }
        assertThat(TableText.containingAny(all)).isEmpty();
        try (Stream<Path> logs = Files.walk(running.directory.resolve("logs"))) {
            for (Path log : logs.filter(file -> file.toString().endsWith(".log")).toList()) {
                String text = Files.readString(log, StandardCharsets.ISO_8859_1);
                assertThat(all.stream().filter(text::contains)).as("secrets in %s", log.getFileName()).isEmpty();
            }
        }
        for (ServiceKind kind : ServiceKind.apis()) {
            String process = processText(running.stack.service(kind).pid());
            assertThat(all.stream().filter(process::contains)).as("secrets in the process list").isEmpty();
        }
    }

    @Test
    void searchFindsStoredText() {
        // Not the canary, which the other test searches for.
        String text = "found-" + UUID.randomUUID();
        workspace.load(Stream.of(HandmadeRun.in("found", START).input("text", text).json()));

        assertThat(TableText.containingAny(List.of(text))).containsExactly("trace.runs");
    }

    @Test
    void revokedKeyIsRejectedWithin30Seconds() {
        // Given
        CreatedApiKeyResponse key = newKey();
        String text = key.key();
        assertThat(statuses(text)).containsOnly(200);

        // When
        http.send("DELETE", control("/v1/api-keys/" + key.id()), workspace.apiKey(), null);

        // Then
        await().atMost(REVOKED_WITHIN).untilAsserted(() -> assertThat(statuses(text)).containsOnly(401));
    }

    private String destinations() {
        Secrets secrets = running.stack.secrets();
        String path = "/api/v1/bulk-exports/destinations";
        Http.Response created = http.send("POST", export(path), workspace.apiKey(),
                destination(secrets.s3AccessKeyId(), secrets.s3SecretAccessKey()).toString());
        assertThat(created.status()).as(created.body()).isEqualTo(200);
        String id = created.json().get("id").textValue();
        http.send("GET", export(path), workspace.apiKey(), null);
        http.send("GET", export(path + "/" + id), workspace.apiKey(), null);
        int successful = http.responses().size();
        // Rejected by the store, by validation, for a wrong type, for malformed JSON, and for a secret in another member.
        http.send("POST", export(path), workspace.apiKey(), destination(secrets.s3AccessKeyId(), CANARY).toString());
        http.send("PATCH", export(path + "/" + id), workspace.apiKey(), Json.object().set("credentials",
                credentials(secrets.s3AccessKeyId(), CANARY)).toString());
        ObjectNode wrongType = destination(secrets.s3AccessKeyId(), CANARY);
        wrongType.putObject("credentials").putArray("secret_access_key").add(CANARY);
        http.send("POST", export(path), workspace.apiKey(), wrongType.toString());
        http.send("POST", export(path), workspace.apiKey(), "{\"credentials\": {\"secret_access_key\": \"" + CANARY + "\", ");
        http.send("POST", export(path), workspace.apiKey(), "{\"credentials\": \"" + CANARY + "\"}");
        ObjectNode inAddress = destination(secrets.s3AccessKeyId(), CANARY);
        ((ObjectNode) inAddress.get("config")).put("endpoint_url", "http://user:" + CANARY + "@127.0.0.1:1");
        http.send("POST", export(path), workspace.apiKey(), inAddress.toString());
        assertThat(http.responses().stream().skip(successful)).allMatch(response -> response.status() / 100 == 4);
        return id;
    }

    private void exports(String destination) {
        workspace.load(Stream.of(HandmadeRun.in("secrets", START).json()));
        Http.Response ordered = http.send("POST", export("/api/v1/bulk-exports"), workspace.apiKey(), Json.object()
                .put("bulk_export_destination_id", destination)
                .put("session_id", workspace.session("secrets").id().toString())
                .put("start_time", START.toString())
                .put("end_time", START.plusSeconds(60).toString()).toString());
        String id = ordered.json().get("id").textValue();
        workspace.awaitCompleted(UUID.fromString(id));
        http.send("GET", export("/api/v1/bulk-exports/" + id), workspace.apiKey(), null);
        http.send("GET", export("/api/v1/bulk-exports/" + id + "/runs"), workspace.apiKey(), null);
        http.send("GET", export("/api/v1/bulk-exports"), workspace.apiKey(), null);
    }

    private void accounts(String revoked) {
        http.send("GET", control("/v1/whoami"), workspace.apiKey(), null);
        http.send("GET", control("/v1/api-keys"), workspace.apiKey(), null);
        http.send("GET", control("/v1/workspaces"), workspace.apiKey(), null);
        for (String key : List.of(revoked, CANARY, "wb_00000000_" + CANARY, workspace.apiKey() + "x")) {
            http.send("GET", control("/v1/whoami"), key, null);
            http.send("GET", export("/api/v1/bulk-exports?api_key=" + CANARY), key, null);
        }
        http.send("POST", control("/v1/api-keys"), workspace.apiKey(), "{\"name\": 7, \"key\": \"" + CANARY + "\"");
    }

    private String revokedKey() {
        CreatedApiKeyResponse key = newKey();
        http.send("DELETE", control("/v1/api-keys/" + key.id()), workspace.apiKey(), null);
        return key.key();
    }

    /** Creates a key with another client, because the response contains the key. */
    private CreatedApiKeyResponse newKey() {
        return workspace.client().controlPlane(control("/")).createApiKey(new CreateApiKeyRequest("short-lived",
                UUID.fromString(workspace.tenantId()), KeyRole.MEMBER, null));
    }

    private List<Integer> statuses(String key) {
        return Stream.of(control("/v1/whoami"), export("/api/v1/bulk-exports"),
                running.address(ServiceKind.EXPERIMENT).resolve("/api/v1/sessions"))
                .map(address -> http.send("GET", address, key, null).status())
                .toList();
    }

    private ObjectNode destination(String keyId, String secret) {
        ObjectNode body = Json.object().put("destination_type", "s3").put("display_name", "Secrets");
        body.set("config", workspace.bucketConfig());
        body.set("credentials", credentials(keyId, secret));
        return body;
    }

    private static ObjectNode credentials(String keyId, String secret) {
        return Json.object().put("access_key_id", keyId).put("secret_access_key", secret);
    }

    private URI export(String path) {
        return running.address(ServiceKind.EXPORT).resolve(path);
    }

    private URI control(String path) {
        return running.address(ServiceKind.CONTROL_PLANE).resolve(path);
    }

    private static String processText(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1)
                    + Files.readString(Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
