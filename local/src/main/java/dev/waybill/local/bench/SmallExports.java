package dev.waybill.local.bench;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.tour.ExportRequest;

/** P7: how long an export of a few rows takes, from the request until the manifest can be read. */
final class SmallExports {

    private static final int ROWS = 600;
    private static final String PREFIX = "small";

    private final Bench bench;
    private final UUID session;

    SmallExports(Bench bench) {
        this.bench = bench;
        this.session = bench.table().add("bench-small", bench.generator(2), ROWS);
    }

    List<Figure> measure() {
        List<Double> seconds = new ArrayList<>();
        String destination = bench.destination(PREFIX);
        try (Bucket bucket = bench.bucket()) {
            export(bucket, destination);
            for (int i = 0; i < bench.options.smallExports(); i++) {
                seconds.add(export(bucket, destination));
            }
        }
        return List.of(
                Figure.ofValues("P7 p50", "an export of 600 runs in one day, POST to Completed and manifest there", "s",
                        seconds,
                        0.5, Goal.NONE, 0),
                Figure.ofValues("P7 p99", "the same", "s", seconds, 0.99, Goal.AT_MOST, 3));
    }

    private double export(Bucket bucket, String destination) {
        Instant start = Bench.DAY.atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant end = Bench.DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        long began = System.nanoTime();
        String id = bench.exporter
                .start(new ExportRequest(destination, session.toString(), start, end, "v2_beta", "zstandard"));
        awaitCompleted(id);
        if (bucket.keys(PREFIX + "/export_id=" + id + "/").stream().noneMatch(key -> key.endsWith("/_manifest.json"))) {
            throw new IllegalStateException("export " + id + " is Completed and has no manifest");
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private void awaitCompleted(String id) {
        while (true) {
            JsonNode export = bench.exporter.get(id);
            String status = export.path("status").asText();
            if (status.equals("Completed")) {
                return;
            }
            if (!status.equals("Created") && !status.equals("Running")) {
                throw new IllegalStateException("export " + id + " ended as " + status + ": " + bench.exporter.runs(id));
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
