package dev.waybill.local.tour;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;

/** Destinations and exports over HTTP (interface.md 4.2). */
public final class Exporter {

    private static final Set<String> FINAL = Set.of("Completed", "Failed", "TimedOut", "Cancelled");
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final WaybillClient client;
    private final URI exports;

    public Exporter(WaybillClient client, URI exportService) {
        this.client = client;
        this.exports = exportService.resolve("/api/v1/bulk-exports");
    }

    /** @return the id of the destination with that name and endpoint, made if there is none */
    public String destination(String name, ObjectNode config, String accessKeyId, String secretAccessKey) {
        URI destinations = URI.create(exports + "/destinations");
        for (JsonNode known : client.get(destinations)) {
            // The same name at another address is left from a start on other ports.
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

    /** @return the id of a new export */
    public String start(ExportRequest request) {
        return start(request.toJson());
    }

    /**
     * @param body interface.md 2.4
     * @return the id of a new export
     */
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

    /** @return the export when it has ended, however it ended */
    public JsonNode awaitEnd(String exportId, Progress progress) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode export = get(exportId);
            long total = export.at("/progress/runs_total").asLong();
            if (FINAL.contains(export.path("status").asText())) {
                progress.at(total, total);
                return export;
            }
            // The last step is only taken when the export itself has ended.
            progress.at(Math.min(export.at("/progress/runs_completed").asLong(), total - 1), total);
            pause();
        }
        throw new IllegalStateException(
                "export " + exportId + " has not ended after " + LIMIT + "; its runs: " + runs(exportId));
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
