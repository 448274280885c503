package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;

/** One-off exports from request to files, verified with a third-party reader. */
@ExportServiceTest
class OneOffExportTest {

    private static final Duration DAY = Duration.ofDays(1);

    private Bucket bucket;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @ParameterizedTest
    @CsvSource({ "v1, none, runs", "v1, gzip, runs", "v1, snappy, runs", "v1, zstandard, runs", "v2_beta, none, resource=runs",
            "v2_beta, gzip, resource=runs", "v2_beta, snappy, resource=runs", "v2_beta, zstandard, resource=runs" })
    void everyVersionAndCompressionContainsEachRunOnce(String version, String compression, String folder) {
        // Given
        Exports exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 600);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY),
                ", \"format_version\": \"" + version + "\", \"compression\": \"" + compression + "\"");

        // Then
        assertThat(bucket.keys(exports.prefix())).containsExactly(
                exports.folder(id) + "_manifest.json",
                exports.folder(id) + folder + "/year=2026/month=1/day=5/part-00000.parquet");
        Path files = bucket.download(exports.folder(id));
        assertThat(Duck.query(files, """
                SELECT count(*) AS rows, count(DISTINCT id) AS ids, any_value(tenant_id) AS tenant, any_value(day) AS day
                FROM files
                """).getFirst()).containsExactlyInAnyOrderEntriesOf(
                Map.of("rows", 600L, "ids", 600L, "tenant", exports.tenantId().toString(), "day", 5L));
        assertThat(bucket.openUploads(exports.prefix())).isEmpty();
    }

    @Test
    void rangeIsHalfOpenToTheMicrosecond() {
        // Given
        Exports exports = Exports.create();
        Instant from = MONDAY.plus(1, ChronoUnit.MICROS);
        Instant to = MONDAY.plus(DAY).plus(Duration.ofHours(1));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        UUID first = Traces.run(exports.tenantId(), exports.sessionId(), from);
        UUID beforeMidnight = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(DAY).minus(1, ChronoUnit.MICROS));
        UUID midnight = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(DAY));
        UUID last = Traces.run(exports.tenantId(), exports.sessionId(), to.minus(1, ChronoUnit.MICROS));
        Traces.run(exports.tenantId(), exports.sessionId(), to);

        // When
        UUID id = exports.complete(from, to, ", \"format_version\": \"v2_beta\", \"export_fields\": [\"id\"]");

        // Then
        List<Map<String, Object>> rows = Duck.query(bucket.download(exports.folder(id)),
                "SELECT id, day FROM files ORDER BY ALL");
        assertThat(rows).containsExactlyInAnyOrder(
                Map.of("id", first.toString(), "day", 5L),
                Map.of("id", beforeMidnight.toString(), "day", 5L),
                Map.of("id", midnight.toString(), "day", 6L),
                Map.of("id", last.toString(), "day", 6L));
    }

    @Test
    void eachDayIsARunAndEmptyDaysHaveNoFile() {
        // Given
        Exports exports = Exports.create();
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(12)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(60)));

        // When
        UUID id = exports.complete(MONDAY.plus(Duration.ofHours(6)), MONDAY.plus(Duration.ofHours(66)), "");

        // Then
        JsonPath runs = exports.client().runs(id).jsonPath();
        assertThat(runs.getList("start_time")).containsExactly("2026-01-05T06:00:00.000000Z", "2026-01-06T00:00:00.000000Z",
                "2026-01-07T00:00:00.000000Z");
        assertThat(runs.getList("end_time")).containsExactly("2026-01-06T00:00:00.000000Z", "2026-01-07T00:00:00.000000Z",
                "2026-01-07T18:00:00.000000Z");
        assertThat(runs.getList("status")).containsOnly("Completed");
        assertThat(runs.getList("metadata.result.rows_written")).containsExactly(1, 0, 1);
        assertThat(runs.getList("[1].metadata.result.exported_files")).isEmpty();
        assertThat(bucket.keys(exports.prefix())).hasSize(3);
    }

    @Test
    void runResultListsWrittenFilesAndCounts() {
        // Given
        Exports exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofSeconds(1), 10);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        JsonPath run = exports.client().runs(id).jsonPath().setRootPath("[0]");
        String file = exports.folder(id) + "runs/year=2026/month=1/day=5/part-00000.parquet";
        assertThat(run.getString("bulk_export_id")).isEqualTo(id.toString());
        assertThat(run.getString("status")).isEqualTo("Completed");
        assertThat(run.getInt("retry_number")).isZero();
        assertThat(run.getMap("errors")).isEmpty();
        assertThat(run.getString("finished_at")).isNotNull();
        assertThat(run.getString("metadata.prefix")).isEqualTo(exports.prefix() + "/");
        assertThat(run.getString("metadata.start_time")).isEqualTo("2026-01-05T00:00:00.000000Z");
        assertThat(run.getInt("metadata.result.rows_written")).isEqualTo(10);
        assertThat(run.getInt("metadata.result.bytes_written")).isEqualTo(bucket.get(file).length);
        assertThat(run.getList("metadata.result.exported_files")).containsExactly(file);
        assertThat(run.getString("metadata.result.export_path")).isEqualTo(file.substring(0, file.lastIndexOf('/')));
        assertThat(run.getString("metadata.result.latest_cursor")).isEqualTo("2026-01-05T00:00:09.000000Z");
        JsonPath export = exports.client().export(id).jsonPath();
        assertThat(export.getMap("progress")).containsExactlyInAnyOrderEntriesOf(Map.of("runs_total", 1, "runs_completed", 1,
                "rows_exported", 10, "bytes_exported", bucket.get(file).length));
        assertThat(export.getString("finished_at")).isNotNull();
    }

    @Test
    void manifestListsFilesWithDigests() throws Exception {
        // Given
        Exports exports = Exports.create();
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(1)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(25)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(26)));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(2)),
                ", \"format_version\": \"v2_beta\", \"export_fields\": [\"id\", \"start_time\"]");

        // Then
        String text = new String(bucket.get(exports.folder(id) + "_manifest.json"), StandardCharsets.UTF_8);
        JsonPath manifest = JsonPath.from(text);
        assertThat(manifest.getMap("")).containsOnlyKeys("version", "export_id", "tenant_id", "session_id", "start_time",
                "end_time", "filter", "format_version", "compression", "schema", "schema_sha256", "rows", "bytes",
                "truncated_rows", "files",
                "created_at");
        assertThat(manifest.getString("export_id")).isEqualTo(id.toString());
        assertThat(manifest.getString("filter")).isNull();
        assertThat(manifest.getString("compression")).isEqualTo("gzip");
        assertThat(manifest.getList("schema.name")).containsExactly("id", "start_time");
        assertThat(manifest.getInt("rows")).isEqualTo(3);
        assertThat(manifest.getList("files.rows")).containsExactly(1, 2);
        assertThat(manifest.getList("files.min_start_time"))
                .containsExactly("2026-01-05T01:00:00.000000Z", "2026-01-06T01:00:00.000000Z");
        assertThat(manifest.getList("files.max_start_time"))
                .containsExactly("2026-01-05T01:00:00.000000Z", "2026-01-06T02:00:00.000000Z");
        for (int i = 0; i < 2; i++) {
            byte[] file = bucket.get(manifest.getString("files[" + i + "].path"));
            assertThat(manifest.getInt("files[" + i + "].bytes")).isEqualTo(file.length);
            assertThat(manifest.getString("files[" + i + "].sha256"))
                    .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file)));
        }
    }

    @Test
    void exportWithoutRowsWritesOnlyManifest() {
        // Given
        Exports exports = Exports.create();

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(3)), "");

        // Then
        assertThat(bucket.keys(exports.prefix())).containsExactly(exports.folder(id) + "_manifest.json");
        JsonPath manifest = JsonPath
                .from(new String(bucket.get(exports.folder(id) + "_manifest.json"), StandardCharsets.UTF_8));
        assertThat(manifest.getInt("rows")).isZero();
        assertThat(manifest.getList("files")).isEmpty();
        assertThat(manifest.getList("schema")).hasSize(34);
    }

    @Test
    void keyStartsWithBucketNameWhenConfigured() {
        // Given
        Account account = Accounts.account().create();
        String prefix = "t" + UUID.randomUUID();
        Exports exports = Exports.create(account, Bucket.name() + "/" + prefix, Bucket.destination(prefix, true));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertThat(bucket.keys(Bucket.name() + "/" + prefix)).containsExactly(
                exports.folder(id) + "_manifest.json",
                exports.folder(id) + "runs/year=2026/month=1/day=5/part-00000.parquet");
    }

    @Test
    void onlyRunsOfSessionAndWorkspaceAreExported() {
        // Given
        Exports exports = Exports.create();
        UUID mine = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        Traces.run(exports.tenantId(), Traces.session(exports.tenantId()), MONDAY);
        Traces.run(Accounts.account().create().workspaceId(), exports.sessionId(), MONDAY);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertThat(Duck.query(bucket.download(exports.folder(id)), "SELECT id FROM files"))
                .containsExactly(Map.of("id", mine.toString()));
    }
}
