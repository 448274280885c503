package dev.waybill.local.tour;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.waybill.client.ExportClient;
import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.export.CreateDestinationRequest;
import dev.waybill.common.api.export.DestinationCredentials;
import dev.waybill.common.api.export.DestinationType;
import dev.waybill.common.api.export.UpdateBulkExportRequest;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.Wait;

/** Creates destinations and exports through the HTTP API (interface.md 4.2). */
public final class Exporter {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final ExportClient client;

    public Exporter(WaybillClients clients, URI exportService) {
        this.client = clients.exports(exportService);
    }

    /** Returns the id of the destination with this name and endpoint in the stack's bucket; creates it if missing. */
    public UUID destination(String name, String prefix, Stack stack) {
        return destination(name, prefix, stack, stack.s3().endpoint());
    }

    /** Like {@link #destination(String, String, Stack)}, with another address of the bucket. */
    public UUID destination(String name, String prefix, Stack stack, URI endpoint) {
        BucketLocation location = new BucketLocation(Stack.BUCKET, prefix, null, endpoint.toString(), null, null, null);
        DestinationCredentials credentials = new DestinationCredentials(stack.secrets().s3AccessKeyId(),
                stack.secrets().s3SecretAccessKey(), null);
        return client.listBulkExportDestinations(null, null).stream()
                // A destination with another endpoint is from an earlier start on other ports.
                .filter(known -> known.displayName().equals(name)
                        && Objects.equals(known.config().endpointUrl(), location.endpointUrl()))
                .findFirst()
                .orElseGet(() -> client.createBulkExportDestination(
                        new CreateDestinationRequest(DestinationType.S3, name, location, credentials)))
                .id();
    }

    /** Creates an export and returns its id. */
    public UUID start(CreateBulkExportRequest request) {
        return client.createBulkExport(request).id();
    }

    public BulkExportResponse get(UUID exportId) {
        return client.getBulkExport(exportId);
    }

    public void cancel(UUID exportId) {
        client.cancelBulkExport(exportId, new UpdateBulkExportRequest("Cancelled"));
    }

    public List<BulkExportRunResponse> runs(UUID exportId) {
        return client.listBulkExportRuns(exportId, null, null);
    }

    /** Returns the snippet that reads an export with a tool. */
    public String snippet(UUID exportId, String tool) {
        return client.getBulkExportSnippets(exportId).snippets().stream()
                .filter(snippet -> snippet.tool().equals(tool))
                .findFirst()
                .orElseThrow()
                .text();
    }

    /** Waits until the export has ended, successfully or not, and returns it. */
    public BulkExportResponse awaitEnd(UUID exportId, Progress progress) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            BulkExportResponse export = get(exportId);
            BulkExportProgress runs = export.progress();
            if (export.status().isFinal()) {
                progress.at(runs.runsTotal(), runs.runsTotal());
                return export;
            }
            // The export ends some time after its last run.
            progress.at(Math.min(runs.runsCompleted(), runs.runsTotal() - 1), runs.runsTotal());
            Wait.sleep(POLL_INTERVAL);
        }
        throw new IllegalStateException(
                "export " + exportId + " has not ended after " + TIMEOUT + "; its runs: " + runs(exportId));
    }
}
