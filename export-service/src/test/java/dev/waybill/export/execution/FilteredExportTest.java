package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.filter.FilterSamples;
import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.path.json.JsonPath;

/** Filtered exports, verified with a third-party reader. */
@ExportServiceTest
class FilteredExportTest {

    private static final Logger LOG = Logger.getLogger(FilteredExportTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILTERS = """
            like(name, "al%")
            like(name, "50\\% off")
            like(name, "a\\_b")
            ilike(error, "%ÜBER%")
            has(tags, "two words")
            not(has(tags, "two words"))
            search("alpha beta")
            search("say hi")
            and(eq(metadata_key, "a"), eq(metadata_value, true))
            and(eq(metadata_key, "a"), eq(metadata_value, "true"))
            and(in(metadata_key, ["a", "list"]), gte(metadata_value, 1))
            and(eq(input_key, "a.b"), neq(input_value, null))
            and(like(output_key, "%list%"), eq(output_value, 1))
            or(exists(input_key, "list.0.a"), exists(output_key, "a.b.c"))
            gt(latency, "2s")
            and(eq(is_root, true), or(gte(total_tokens, 100), neq(error, null)))
            eq(name, "'); DROP TABLE trace.runs; --")
            in(run_type, ["llm", "tool"])
            and(ilike(feedback_key, "correctness"), gte(feedback_score, 0.3))
            not(exists(feedback_key))
            and(in(feedback_key, ["a", "c", "list.0"]), or(eq(feedback_score, null), lte(feedback_score, 0)))
            or(neq(feedback_score, 1), eq(name, "alpha"))
            """;
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

    /** Covers every kind of condition, and random ones. */
    @Test
    void filteredExportsMatchReferenceEvaluation() throws Exception {
        // Given
        LOG.infof("-Dwaybill.test.seed=%s repeats this", SEED);
        Exports exports = Exports.create();
        FilterSamples probe = FilterSamples.store(exports.tenantId(), exports.sessionId(), "Project " + exports.sessionId(),
                SEED);
        List<String> filters = new ArrayList<>(FILTERS.lines().toList());
        filters.addAll(probe.randomFilters(8));
        Map<String, UUID> created = new LinkedHashMap<>();
        int finding = 0;

        // When
        for (String filter : filters) {
            created.put(filter, exports.start(FilterSamples.DAY, FilterSamples.DAY.plus(Duration.ofDays(1)),
                    ", \"export_fields\": [\"id\"], \"filter\": " + JSON.writeValueAsString(filter)));
        }

        // Then
        for (Map.Entry<String, UUID> export : created.entrySet()) {
            exports.awaitStatus(export.getValue(), "Completed");
            Set<String> expected = probe.find(export.getKey());
            assertThat(ids(exports, export.getValue())).as("%s (seed %s)", export.getKey(), SEED)
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(manifest(exports, export.getValue()).getInt("rows")).isEqualTo(expected.size());
            finding += expected.isEmpty() || expected.size() == probe.size() ? 0 : 1;
        }
        assertThat(finding).as("filters that match some runs but not all").isGreaterThan(8);
    }

    private List<String> ids(Exports exports, UUID id) {
        if (bucket.keys(exports.folder(id)).size() == 1) {
            return List.of();
        }
        return Duck.query(bucket.download(exports.folder(id)), "SELECT id FROM files").stream()
                .map(row -> String.valueOf(row.get("id")))
                .toList();
    }

    @Test
    void onlyMatchingRunsAreExportedAndManifestHasFilter() {
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
    void filterWithoutMatchWritesManifestWithoutFiles() {
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
