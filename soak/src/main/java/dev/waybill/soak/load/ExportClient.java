package dev.waybill.soak.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Creates exports to the stack's bucket and verifies their files with DuckDB. */
final class ExportClient {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final String PREFIX = "replicas";
    private static final String EXPORTS = "/api/v1/bulk-exports";
    private static final String READ = """
            SELECT concat_ws('|', name, json_extract_string(inputs, '$.question'), json_extract_string(outputs, '$.answer'))
            FROM runs""";

    private final RetryingClient client;
    private final ReplicaPool service;
    private final Stack stack;
    private final Path folder;
    private final String destination;
    private final Set<String> verified = ConcurrentHashMap.newKeySet();

    /** Creates the destination. */
    ExportClient(RetryingClient client, ReplicaPool service, Stack stack, Path folder) {
        this.client = client;
        this.service = service;
        this.stack = stack;
        this.folder = folder;
        var request = Json.object().put("destination_type", "s3").put("display_name", PREFIX);
        request.putObject("config").put("bucket_name", Stack.BUCKET).put("prefix", PREFIX)
                .put("endpoint_url", stack.s3().endpoint().toString());
        request.putObject("credentials").put("access_key_id", stack.secrets().s3AccessKeyId())
                .put("secret_access_key", stack.secrets().s3SecretAccessKey());
        this.destination = client.create(service, EXPORTS + "/destinations", request, response -> response.required("id"));
    }

    String destination() {
        return destination;
    }

    /** Creates an export and returns its id. */
    String create(JsonNode request) {
        return client.create(service, EXPORTS, request, response -> response.required("id"));
    }

    /** Waits until the export has ended, successfully or not. */
    void awaitEnd(String export) {
        Wait.until(() -> !get(export).required("status").textValue().matches("Created|Running"), POLL_INTERVAL, TIMEOUT,
                () -> "export " + export + " has not ended after " + TIMEOUT);
    }

    JsonNode get(String export) {
        return client.get(service, EXPORTS + "/" + export);
    }

    /** Returns the exports that a scheduled export has created. */
    List<JsonNode> spawnedBy(String schedule) {
        return client.get(service, EXPORTS).valueStream()
                .filter(export -> export.path("source_bulk_export_id").asText().equals(schedule)).toList();
    }

    /** Returns the differences between an export and the expected rows. Verifies each export successfully only once. */
    List<String> differences(String export, Collection<String> rows) {
        if (verified.contains(export)) {
            return List.of();
        }
        JsonNode current = get(export);
        if (!current.required("status").textValue().equals("Completed")) {
            return List.of("export " + export + " is " + current.required("status").textValue() + " "
                    + client.get(service, EXPORTS + "/" + export + "/runs"));
        }
        if (current.at("/progress/rows_exported").asLong() != rows.size()) {
            return List.of("export " + export + " reports " + current.at("/progress/rows_exported") + " rows, expected "
                    + rows.size());
        }
        List<String> differences = Reconciliation.differences("export " + export + ": row", rows, read(export));
        if (differences.isEmpty()) {
            verified.add(export);
        }
        return differences;
    }

    /** Reads the rows of an export. The download compares objects, sizes and hashes with the manifest. */
    private List<String> read(String export) {
        Path copy = folder.resolve(export);
        try (Bucket bucket = stack.bucket(); ParquetReader reader = new ParquetReader()) {
            ExportedFiles files = ExportedFiles.download(bucket, PREFIX, UUID.fromString(export), copy);
            return files.files().isEmpty() ? List.of()
                    : reader.query(files.files(), READ).stream().map(row -> (String) row.getFirst()).toList();
        } finally {
            Folders.delete(copy);
        }
    }

    /** Returns a description of the incomplete uploads in the bucket, if any. */
    List<String> incompleteUploads() {
        try (Bucket bucket = stack.bucket()) {
            int open = bucket.countIncompleteUploads(PREFIX + "/");
            return open == 0 ? List.of() : List.of(open + " uploads are still incomplete");
        }
    }
}
