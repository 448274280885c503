package dev.waybill.local.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;

/** Says whether an export kept its promises, by what is in the bucket and in the source and nothing else. */
final class ExportVerifier {

    private static final Duration SWEEPING = Duration.ofMinutes(10);

    private final SoakEnvironment ground;
    private final SourceRows source;

    ExportVerifier(SoakEnvironment ground, SourceRows source) {
        this.ground = ground;
        this.source = source;
    }

    void judge(String exportId, Instant from, Instant to) {
        JsonNode ended = ground.ask(exporter -> exporter.awaitEnd(exportId, Progress.UNSEEN));
        if (!ended.get("status").textValue().equals("Completed")) {
            throw new VerificationException(
                    "the export has not completed: " + ended + " " + ground.ask(exporter -> exporter.runs(exportId)));
        }
        List<String> expected = source.hashes(from, to);
        requireEqual(expected.size(), ended.at("/progress/rows_exported").asInt(), "rows in the export's progress");
        Path folder = temporary();
        try (Bucket bucket = ground.bucket()) {
            awaitNoOpenUploads(bucket);
            // Compares the bucket's objects with the manifest: which they are, their sizes and hashes.
            ExportedFiles files = ExportedFiles.download(bucket, SoakEnvironment.PREFIX, exportId, folder);
            requireEqual(expected.size(), (int) files.rows(), "rows in the manifest");
            compare(expected, files);
            List<String> keys = bucket.keys(SoakEnvironment.PREFIX + "/");
            requireEqual(files.files().size() + 1, keys.size(), "objects below the prefix, " + keys);
            keys.forEach(bucket::delete);
        } finally {
            delete(folder);
        }
    }

    private static void compare(List<String> expected, ExportedFiles files) {
        if (files.files().isEmpty()) {
            requireEqual(expected.size(), 0, "rows in no files");
            return;
        }
        try (ParquetReader reader = new ParquetReader()) {
            List<String> exported = reader.query(files.files(), SourceRows.EXPORTED_HASHES).stream()
                    .map(row -> (String) row.getFirst())
                    .sorted()
                    .toList();
            requireEqual(expected.size(), exported.size(), "rows in the files");
            if (!exported.equals(expected)) {
                throw new VerificationException("the exported rows are not those of the source");
            }
        }
    }

    private static void awaitNoOpenUploads(Bucket bucket) {
        long deadline = System.nanoTime() + SWEEPING.toNanos();
        while (bucket.openUploads(SoakEnvironment.PREFIX + "/") > 0) {
            if (System.nanoTime() > deadline) {
                throw new VerificationException("uploads are still open " + SWEEPING + " after the export was completed");
            }
            SoakEnvironment.pause(100);
        }
    }

    private static void requireEqual(int expected, int found, String what) {
        if (expected != found) {
            throw new VerificationException(what + ": expected " + expected + ", found " + found);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("waybill-soak");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
