package dev.waybill.local.tour;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;

/** Creates destinations and exports through the HTTP API (interface.md 4.2). */
public final class Exporter {

    private static final Set<String> FINAL = Set.of("Completed", "Failed", "TimedOut", "Cancelled");
    private static final Duration TIMEOUT = Duration.ofMinutes(15);

    private final WaybillClient client;
    private final URI exports;

    public Exporter(WaybillClient client, URI exportService) {
        this.client = client;
        this.exports = exportService.resolve("/api/v1/bulk-exports");
    }

    /** Returns the id of the destination with this name and endpoint; creates it if missing. */
    public String destination(String name, ObjectNode config, String accessKeyId, String secretAccessKey) {
        URI destinations = URI.create(exports + "/destinations");
        for (JsonNode known : client.get(destinations)) {
            // A destination with another endpoint is from an earlier start on other ports.
            if (known.path("display_name").asText().equals(name)
                    && known.at("/config/endpoint_url").equals(config.path("endpoint_url"))) {
                return known.required("id").textValue();
            }
        }
        ObjectNode body = Json.object();
        body.put("destination_type", "s3");
        body.put("display_name", name);
        body.set("config", config);
        body.putObject("credentials")
                .put("access_key_id", accessKeyId)
                .put("secret_access_key", secretAccessKey);
        return client.post(destinations, body).required("id").textValue();
    }

    /** Creates an export and returns its id. */
    public String start(ExportRequest request) {
        return start(request.toJson());
    }

    /** Creates an export from a request body and returns its id. */
    public String start(JsonNode body) {
        return client.post(exports, body).required("id").textValue();
    }

    public JsonNode get(String exportId) {
        return client.get(URI.create(exports + "/" + exportId));
    }

    public void cancel(String exportId) {
        client.patch(URI.create(exports + "/" + exportId), Json.object().put("status", "Cancelled"));
    }

    public JsonNode runs(String exportId) {
        return client.get(URI.create(exports + "/" + exportId + "/runs"));
    }

    /** Waits until the export has ended, successfully or not, and returns it. */
    public JsonNode awaitEnd(String exportId, Progress progress) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode export = get(exportId);
            long total = export.at("/progress/runs_total").asLong();
            if (FINAL.contains(export.path("status").asText())) {
                progress.at(total, total);
                return export;
            }
            // The export ends some time after its last run.
            progress.at(Math.min(export.at("/progress/runs_completed").asLong(), total - 1), total);
            pause();
        }
        throw new IllegalStateException(
                "export " + exportId + " has not ended after " + TIMEOUT + "; its runs: " + runs(exportId));
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
