package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.ExportRequest;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Exporter;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.TraceLoader;

/**
 * A workspace in a new organization of the running stack, isolated from other tests.
 *
 * @param name the name, which is also the prefix of its exports
 * @param apiKey the key of an admin
 */
public record Workspace(RunningStack running, String name, String organizationId, String tenantId, String apiKey,
        WaybillClient client) {

    public static Workspace create(String purpose) {
        RunningStack running = RunningStack.get();
        String name = purpose + "-" + UUID.randomUUID().toString().substring(0, 8);
        URI control = running.address(ServiceKind.CONTROL_PLANE);
        JsonNode organization;
        try (WaybillClient operator = new WaybillClient(running.stack.secrets().operatorKey())) {
            organization = operator.post(control.resolve("/v1/organizations"),
                    Json.object().put("name", name).put("plan", "enterprise"));
        }
        try (WaybillClient admin = new WaybillClient(organization.required("key").textValue())) {
            String id = admin.post(control.resolve("/v1/workspaces"), Json.object().put("name", name)).required("id")
                    .textValue();
            String key = admin.post(control.resolve("/v1/api-keys"),
                    Json.object().put("name", name).put("workspace_id", id).put("role", "admin")).required("key").textValue();
            return new Workspace(running, name, organization.required("id").textValue(), id, key, new WaybillClient(key));
        }
    }

    /** Sends runs to the intake in batches. */
    public void load(Stream<JsonNode> runs) {
        TraceLoader loader = new TraceLoader(client, running.address(ServiceKind.EXPERIMENT));
        runs.gather(Gatherers.windowFixed(500)).forEach(batch -> loader.load(batch, Progress.NONE));
    }

    public JsonNode session(String sessionName) {
        JsonNode found = client.get(running.address(ServiceKind.EXPERIMENT)
                .resolve("/api/v1/sessions?name=" + WaybillClient.urlEncode(sessionName)));
        assertThat(found).as("sessions named %s", sessionName).hasSize(1);
        return found.get(0);
    }

    public Exporter exporter() {
        return new Exporter(client, running.address(ServiceKind.EXPORT));
    }

    /** Returns the configuration of a destination in the stack's bucket. */
    public ObjectNode bucketConfig() {
        return Json.object()
                .put("bucket_name", Stack.BUCKET)
                .put("prefix", name)
                .put("endpoint_url", running.stack.s3().endpoint().toString());
    }

    public String destination() {
        return exporter().destination(name, bucketConfig(), running.stack.secrets().s3AccessKeyId(),
                running.stack.secrets().s3SecretAccessKey());
    }

    /** Creates an export and returns its id. */
    public String order(String sessionId, Instant start, Instant end, String formatVersion, String compression) {
        return exporter().start(new ExportRequest(destination(), sessionId, start, end, formatVersion, compression));
    }

    /** Waits until the export has ended, asserts that it is Completed, and returns it. */
    public JsonNode awaitCompleted(String exportId) {
        JsonNode ended = exporter().awaitEnd(exportId, Progress.NONE);
        assertThat(ended.get("status").textValue()).as("%s %s", ended, exporter().runs(exportId)).isEqualTo("Completed");
        return ended;
    }

    public ExportedFiles download(String exportId, Path folder) {
        try (Bucket bucket = running.bucket()) {
            return ExportedFiles.download(bucket, name, exportId, folder);
        }
    }

    /** Deletes the runs, which would slow down other tests. */
    public void deleteRuns() {
        for (String table : List.of("run_places", "runs")) {
            TableText.query("WITH gone AS (DELETE FROM trace." + table + " WHERE tenant_id = '" + tenantId
                    + "' RETURNING 1) SELECT count(*) FROM gone");
        }
    }
}
