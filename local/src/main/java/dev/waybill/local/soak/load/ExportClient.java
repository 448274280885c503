package dev.waybill.local.soak.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicaPool;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;

/** Exports to the stack's bucket, and what DuckDB reads there. */
final class ExportClient {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final String PREFIX = "replicas";
    private static final String EXPORTS = "/api/v1/bulk-exports";
    private static final String READ = """
            SELECT concat_ws('|', name, json_extract_string(inputs, '$.question'), json_extract_string(outputs, '$.answer'))
            FROM runs""";

    private final RetryingClient caller;
    private final ReplicaPool service;
    private final Stack stack;
    private final Path folder;
    private final String destination;
    private final Set<String> judged = ConcurrentHashMap.newKeySet();

    /** Makes the destination. */
    ExportClient(RetryingClient caller, ReplicaPool service, Stack stack, Path folder) {
        this.caller = caller;
        this.service = service;
        this.stack = stack;
        this.folder = folder;
        var request = Json.object().put("destination_type", "s3").put("display_name", PREFIX);
        request.putObject("config").put("bucket_name", Stack.BUCKET).put("prefix", PREFIX)
                .put("endpoint_url", stack.s3().endpoint().toString());
        request.putObject("credentials").put("access_key_id", stack.secrets().s3AccessKeyId())
                .put("secret_access_key", stack.secrets().s3SecretAccessKey());
        this.destination = caller.create(service, EXPORTS + "/destinations", request, answer -> answer.required("id"));
    }

    String destination() {
        return destination;
    }

    /** @return the id of a new export */
    String order(JsonNode request) {
        return caller.create(service, EXPORTS, request, answer -> answer.required("id"));
    }

    /** Returns when the export has ended, however it has; {@link #wrong} tells. */
    void awaitEnd(String export) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (get(export).required("status").textValue().matches("Created|Running")) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("export " + export + " has not ended after " + PATIENCE);
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    JsonNode get(String export) {
        return caller.get(service, EXPORTS + "/" + export);
    }

    /** @return all exports that the schedule has made */
    List<JsonNode> madeBy(String schedule) {
        return caller.get(service, EXPORTS).valueStream()
                .filter(export -> export.path("source_bulk_export_id").asText().equals(schedule)).toList();
    }

    /** @return what is wrong with an export that should hold exactly these rows; what was found right stays so */
    List<String> wrong(String export, Collection<String> rows) {
        if (judged.contains(export)) {
            return List.of();
        }
        JsonNode now = get(export);
        if (!now.required("status").textValue().equals("Completed")) {
            return List.of("export " + export + " is " + now.required("status").textValue() + " "
                    + caller.get(service, EXPORTS + "/" + export + "/runs"));
        }
        if (now.at("/progress/rows_exported").asLong() != rows.size()) {
            return List.of("export " + export + " tells of " + now.at("/progress/rows_exported") + " rows of " + rows.size());
        }
        List<String> wrong = Reconciliation.differences("export " + export + ": row", rows, read(export));
        if (wrong.isEmpty()) {
            judged.add(export);
        }
        return wrong;
    }

    /** Compares the bucket with the manifest on the way: which objects there are, their sizes and hashes. */
    private List<String> read(String export) {
        Path copy = folder.resolve(export);
        try (Bucket bucket = bucket(); ParquetReader reader = new ParquetReader()) {
            ExportedFiles files = ExportedFiles.download(bucket, PREFIX, export, copy);
            return files.files().isEmpty() ? List.of()
                    : reader.query(files.files(), READ).stream().map(row -> (String) row.getFirst()).toList();
        } finally {
            delete(copy);
        }
    }

    /** @return what exports left in the bucket that nobody will complete */
    List<String> leftOver() {
        try (Bucket bucket = bucket()) {
            int open = bucket.openUploads(PREFIX + "/");
            return open == 0 ? List.of() : List.of(open + " uploads are still open");
        }
    }

    private Bucket bucket() {
        return new Bucket(stack.s3().endpoint(), stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey(),
                Stack.BUCKET);
    }

    private static void delete(Path copy) {
        if (!Files.exists(copy)) {
            return;
        }
        try (Stream<Path> files = Files.walk(copy)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
