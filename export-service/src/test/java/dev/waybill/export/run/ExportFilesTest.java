package dev.waybill.export.run;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** The list of an export's files. */
@ExportServiceTest
class ExportFilesTest {

    private static final List<String> OF_MANIFEST = List.of("path", "rows", "bytes", "sha256", "min_start_time",
            "max_start_time");

    private Bucket bucket;
    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void filesAreThoseOfTheManifestInItsOrder() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(20), 200);
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(4)), "");

        // When
        Response files = files(id, "");

        // Then
        List<Map<String, Object>> listed = JsonPath
                .from(new String(bucket.get(exports.folder(id) + "_manifest.json"), StandardCharsets.UTF_8))
                .getList("files");
        assertThat(listed).hasSize(3);
        assertThat(files.jsonPath().<Map<String, Object>> getList("")).hasSize(3)
                .allSatisfy(file -> assertThat(file).containsOnlyKeys("bulk_export_id", "run_id", "path", "rows", "bytes",
                        "sha256", "min_start_time", "max_start_time", "truncated_rows", "size_verified")
                        .containsEntry("bulk_export_id", id.toString())
                        .containsEntry("truncated_rows", 0)
                        .containsEntry("size_verified", true));
        OF_MANIFEST.forEach(member -> assertThat(files.jsonPath().<Object> getList(member)).as(member)
                .isEqualTo(listed.stream().map(file -> file.get(member)).toList()));
        assertThat(files.header("X-Pagination-Total")).isEqualTo("3");
    }

    @Test
    void filesArePagedAndLimitedToOneRun() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(8), 9);
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(3)), "");
        List<String> all = files(id, "").path("path");
        String run = files(id, "").path("[1].run_id");

        // When
        Response second = files(id, "?limit=1&offset=1");
        Response ofRun = files(id, "?run_id=" + run);

        // Then
        assertThat(all).hasSize(3);
        assertThat(second.jsonPath().getList("path")).containsExactly(all.get(1));
        assertThat(second.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(ofRun.jsonPath().getList("path")).containsExactly(all.get(1));
        assertThat(ofRun.header("X-Pagination-Total")).isEqualTo("1");
        assertThat(files(id, "?run_id=" + UUID.randomUUID()).jsonPath().getList("")).isEmpty();
    }

    @Test
    void scheduleListsTheFilesOfItsExports() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(10), 12);
        UUID schedule = exports.start(MONDAY, null, ", \"interval_hours\": 168");
        Traces.execute("UPDATE export.bulk_exports SET paused_at = now(), pause_reason = 'test' WHERE id = ?", schedule);
        String later = backfill(schedule, 3600, 7200);
        String earlier = backfill(schedule, 0, 3600);

        // When
        Response files = files(schedule, "");

        // Then
        assertThat(files.jsonPath().<String> getList("bulk_export_id")).contains(earlier, later)
                .containsSubsequence(earlier, later);
        assertThat(files.header("X-Pagination-Total")).isEqualTo(String.valueOf(files.jsonPath().getList("").size()));
    }

    @Test
    void invalidParametersAreRejected() {
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        assertThat(files(id, "").jsonPath().getList("")).isEmpty();
        assertThat(files(id, "?limit=101").statusCode()).isEqualTo(422);
        assertThat((String) files(id, "?run_id=x").path("errors[0].loc[0]")).isEqualTo("run_id");
        assertThat((String) files(id, "?day=5").path("errors[0].loc[0]")).isEqualTo("day");
        assertThat(files(UUID.randomUUID(), "").statusCode()).isEqualTo(404);
    }

    private String backfill(UUID schedule, int from, int to) {
        String id = exports.client().post(Client.EXPORTS + "/" + schedule + "/backfill", "{\"start_time\": \""
                + MONDAY.plusSeconds(from) + "\", \"end_time\": \"" + MONDAY.plusSeconds(to) + "\"}").path("id");
        exports.awaitStatus(UUID.fromString(id), "Completed");
        return id;
    }

    private Response files(UUID exportId, String query) {
        return exports.client().get(Client.EXPORTS + "/" + exportId + "/files" + query);
    }
}
