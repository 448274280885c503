package dev.waybill.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;

/** Verifies that the files of an export contain exactly the rows of the source, and that no other objects remain. */
final class ExportVerifier {

    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(10);

    private final SoakEnvironment environment;
    private final SourceRows source;

    ExportVerifier(SoakEnvironment environment, SourceRows source) {
        this.environment = environment;
        this.source = source;
    }

    void verify(UUID exportId, Instant from, Instant to) {
        BulkExportResponse finished = environment.call(exporter -> exporter.awaitEnd(exportId, Progress.NONE));
        if (finished.status() != BulkExportStatus.COMPLETED) {
            throw new IllegalStateException(
                    "the export is not Completed: " + finished + " " + environment.call(exporter -> exporter.runs(exportId)));
        }
        List<String> expected = source.hashes(from, to);
        requireEqual(expected.size(), (int) finished.progress().rowsExported(), "rows in the export's progress");
        Path folder = temporary();
        try (Bucket bucket = environment.stack.bucket()) {
            awaitNoIncompleteUploads(bucket);
            // The download compares the objects, sizes and hashes with the manifest.
            ExportedFiles files = ExportedFiles.download(bucket, SoakEnvironment.PREFIX, exportId, folder);
            requireEqual(expected.size(), (int) files.rows(), "rows in the manifest");
            compare(expected, files);
            List<String> keys = bucket.keys(SoakEnvironment.PREFIX + "/");
            requireEqual(files.files().size() + 1, keys.size(), "objects below the prefix, " + keys);
            keys.forEach(bucket::delete);
        } finally {
            Folders.delete(folder);
        }
    }

    private static void compare(List<String> expected, ExportedFiles files) {
        if (files.files().isEmpty()) {
            requireEqual(expected.size(), 0, "rows of an export without files");
            return;
        }
        try (ParquetReader reader = new ParquetReader()) {
            List<String> exported = reader.query(files.files(), SourceRows.EXPORTED_HASHES).stream()
                    .map(row -> (String) row.getFirst())
                    .sorted()
                    .toList();
            requireEqual(expected.size(), exported.size(), "rows in the files");
            if (!exported.equals(expected)) {
                throw new IllegalStateException("the exported rows differ from those of the source");
            }
        }
    }

    private static void awaitNoIncompleteUploads(Bucket bucket) {
        Wait.until(() -> bucket.countIncompleteUploads(SoakEnvironment.PREFIX + "/") == 0, Duration.ofMillis(100),
                CLEANUP_TIMEOUT, () -> "uploads are still incomplete " + CLEANUP_TIMEOUT + " after the export completed");
    }

    private static void requireEqual(int expected, int actual, String subject) {
        if (expected != actual) {
            throw new IllegalStateException(subject + ": expected " + expected + ", found " + actual);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("waybill-soak");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
