package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;

/** Runs above the maximum row size never fail their export. */
@ExportServiceTest
class TruncatedRowsTest {

    /** A size above the maximum row size of the tests' settings. */
    private static final int TOO_LARGE = 3 << 20;
    private static final Duration DAY = Duration.ofDays(1);

    private Bucket bucket;
    private Exports exports;

    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @ParameterizedTest
    @CsvSource({ "v1, none", "v1, gzip", "v1, snappy", "v1, zstandard", "v2_beta, none", "v2_beta, gzip", "v2_beta, snappy",
            "v2_beta, zstandard" })
    void largeTextsOfTooLargeRunAreReplaced(String version, String compression) throws Exception {
        // Given: two days, one of which has too large runs
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(10), 200);
        UUID large = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plusSeconds(1));
        UUID other = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plusSeconds(2));
        Traces.execute("UPDATE trace.runs SET inputs = repeat('ü', ?), outputs = '{\"a\": 1}', error = 'kept' WHERE id = ?",
                TOO_LARGE / 2, large);
        Traces.execute("UPDATE trace.runs SET error = repeat('x', ?) WHERE id = ?", TOO_LARGE, other);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY.multipliedBy(2)),
                ", \"format_version\": \"" + version + "\", \"compression\": \"" + compression + "\"");

        // Then
        Path files = bucket.download(exports.folder(id));
        assertThat(Duck.value(files, "SELECT count(*) FROM files")).isEqualTo(202L);
        assertThat(text(files, "inputs", large)).isEqualTo(truncated("ü".repeat(TOO_LARGE / 2)));
        assertThat(text(files, "outputs", large)).isEqualTo(truncated("{\"a\": 1}"));
        assertThat(text(files, "error", large)).isEqualTo("kept");
        assertThat(text(files, "error", other)).isEqualTo(truncated("x".repeat(TOO_LARGE)));
        assertThat(Duck.value(files, "SELECT count(*) FROM files WHERE inputs LIKE '%waybill_truncated%'")).isEqualTo(2L);
        JsonPath manifest = JsonPath
                .from(new String(bucket.get(exports.folder(id) + "_manifest.json"), StandardCharsets.UTF_8));
        assertThat(manifest.getInt("truncated_rows")).isEqualTo(2);
        JsonPath runs = exports.client().runs(id).jsonPath();
        assertThat(runs.getList("metadata.result.truncated_rows")).containsExactlyInAnyOrder(2, 0);
        assertThat(runs.getString("find { it.metadata.result.truncated_rows == 2 }.errors.'1'.code"))
                .isEqualTo("rows_truncated");
        assertThat(runs.getString("find { it.metadata.result.truncated_rows == 2 }.errors.'1'.message"))
                .startsWith("2 runs have");
        assertThat(runs.getMap("find { it.metadata.result.truncated_rows == 0 }.errors")).isEmpty();
    }

    @Test
    void exportWithoutLargeFieldsIsNotTruncated() {
        // Given
        UUID large = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        Traces.execute("UPDATE trace.runs SET inputs = repeat('x', ?) WHERE id = ?", TOO_LARGE, large);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), ", \"export_fields\": [\"id\", \"outputs\", \"name\"]");

        // Then
        JsonPath run = exports.client().runs(id).jsonPath();
        assertThat(run.getInt("[0].metadata.result.truncated_rows")).isZero();
        assertThat(run.getMap("[0].errors")).isEmpty();
    }

    private static Object text(Path files, String column, UUID run) {
        return Duck.value(files, "SELECT " + column + " FROM files WHERE id = '" + run + "'");
    }

    private static String truncated(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return "{\"waybill_truncated\": {\"bytes\": %s, \"sha256\": \"%s\"}}".formatted(bytes.length,
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    }
}
