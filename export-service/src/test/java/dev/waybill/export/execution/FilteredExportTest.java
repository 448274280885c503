package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;

/** Exports of some of a range's runs, read back by a reader that is not ours. */
@ExportServiceTest
class FilteredExportTest {

    private static final Instant TUESDAY = MONDAY.plus(Duration.ofDays(1));

    private Bucket bucket;

    @BeforeEach
    void open() {
        bucket = new Bucket();
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void onlyTheRunsThatTheFilterHoldsOfAreExportedAndTheManifestSaysSo() {
        // Given
        Exports exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 20);
        UUID wanted = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(1)));

        // When
        UUID id = exports.complete(MONDAY, TUESDAY,
                ", \"filter\": \"and(eq(input_key, 'question'), eq(input_value, 'what?'))\"");

        // Then
        assertThat(Duck.query(bucket.download(exports.folder(id)), "SELECT id FROM files"))
                .containsExactly(Map.of("id", wanted.toString()));
        assertThat(manifest(exports, id).getString("filter"))
                .isEqualTo("and(eq(input_key, 'question'), eq(input_value, 'what?'))");
        assertThat(manifest(exports, id).getInt("rows")).isEqualTo(1);
        assertThat((String) exports.client().export(id).path("filter"))
                .isEqualTo("and(eq(input_key, 'question'), eq(input_value, 'what?'))");
    }

    @Test
    void aFilterThatHoldsOfNothingLeavesAManifestAndNoFile() {
        // Given
        Exports exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 20);

        // When
        UUID id = exports.complete(MONDAY, TUESDAY, ", \"filter\": \"eq(name, 'nobody')\"");

        // Then
        assertThat(bucket.keys(exports.prefix())).containsExactly(exports.folder(id) + "_manifest.json");
        assertThat(manifest(exports, id).getInt("rows")).isZero();
        assertThat(manifest(exports, id).getList("files")).isEmpty();
        assertThat(exports.client().runs(id).jsonPath().getList("metadata.result.rows_written")).containsExactly(0);
    }

    private JsonPath manifest(Exports exports, UUID id) {
        return JsonPath.from(new String(bucket.get(exports.folder(id) + "_manifest.json"), StandardCharsets.UTF_8));
    }
}
