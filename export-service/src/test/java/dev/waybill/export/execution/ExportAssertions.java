package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.response.Response;

/** Assertions on the bucket and the source rows that hold after any fault. */
record ExportAssertions(Bucket bucket, Exports exports, UUID id) {

    /** Asserts that every row of the session is exported exactly once and no other object exists. */
    void assertComplete() {
        exports.awaitStatus(id, "Completed");
        List<String> expected = completedFiles();
        expected.add(exports.folder(id) + "_manifest.json");
        assertThat(bucket.keys(exports.prefix())).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(exportedIds()).isEqualTo(sourceIds());
        assertNoOpenUploads();
    }

    /** Asserts that there is no manifest, no upload and no file of an uncompleted run. */
    void assertFailed() {
        exports.awaitStatus(id, "Failed");
        assertNoOpenUploads();
        await().untilAsserted(
                () -> assertThat(bucket.keys(exports.prefix())).containsExactlyInAnyOrderElementsOf(completedFiles()));
    }

    Response runs() {
        return exports.client().runs(id);
    }

    private void assertNoOpenUploads() {
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
    }

    private List<String> completedFiles() {
        List<List<String>> files = runs().path("findAll { it.status == 'Completed' }.metadata.result.exported_files");
        List<String> keys = new ArrayList<>();
        files.forEach(keys::addAll);
        return keys;
    }

    private List<String> exportedIds() {
        return Duck.query(bucket.download(exports.folder(id)), "SELECT id FROM files ORDER BY id").stream()
                .map(row -> (String) row.get("id"))
                .toList();
    }

    private List<String> sourceIds() {
        String ids = (String) Traces.query(
                "SELECT string_agg(id::text, ',' ORDER BY id::text COLLATE \"C\") FROM trace.runs WHERE session_id = ?",
                exports.sessionId());
        return List.of(ids.split(","));
    }
}
