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

import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreateOrganizationRequest;
import dev.waybill.common.api.account.CreateWorkspaceRequest;
import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
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
        WaybillClients client) {

    public static Workspace create(String purpose) {
        RunningStack running = RunningStack.get();
        String name = purpose + "-" + UUID.randomUUID().toString().substring(0, 8);
        URI control = running.address(ServiceKind.CONTROL_PLANE);
        CreatedOrganizationResponse organization;
        try (WaybillClients operator = WaybillClients.of(running.stack.secrets().operatorKey())) {
            organization = operator.controlPlane(control)
                    .createOrganization(new CreateOrganizationRequest(name, Plan.ENTERPRISE));
        }
        try (WaybillClients admin = WaybillClients.of(organization.key())) {
            UUID id = admin.controlPlane(control).createWorkspace(new CreateWorkspaceRequest(name)).id();
            String key = admin.controlPlane(control)
                    .createApiKey(new CreateApiKeyRequest(name, id, KeyRole.ADMIN, null)).key();
            return new Workspace(running, name, organization.id().toString(), id.toString(), key, WaybillClients.of(key));
        }
    }

    /** Sends runs to the intake in batches. */
    public void load(Stream<JsonNode> runs) {
        TraceLoader loader = new TraceLoader(client, running.address(ServiceKind.EXPERIMENT));
        runs.gather(Gatherers.windowFixed(500)).forEach(batch -> loader.load(batch, Progress.NONE));
    }

    public SessionResponse session(String sessionName) {
        return running.session(client, sessionName);
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

    public UUID destination() {
        return exporter().destination(name, name, running.stack);
    }

    /** Creates an export and returns its id. */
    public UUID order(UUID sessionId, Instant start, Instant end, String formatVersion, String compression) {
        return exporter().start(new CreateBulkExportRequest(destination(), sessionId, start, end, null, null, null, null,
                formatVersion, compression));
    }

    /** Waits until the export has ended, asserts that it is Completed, and returns it. */
    public BulkExportResponse awaitCompleted(UUID exportId) {
        BulkExportResponse ended = exporter().awaitEnd(exportId, Progress.NONE);
        assertThat(ended.status()).as("%s %s", ended, exporter().runs(exportId)).isEqualTo(BulkExportStatus.COMPLETED);
        return ended;
    }

    public ExportedFiles download(UUID exportId, Path folder) {
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
