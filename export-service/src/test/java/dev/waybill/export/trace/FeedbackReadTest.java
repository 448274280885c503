package dev.waybill.export.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Traces;

/** Tests reading feedback with its runs, in the same snapshot. */
class FeedbackReadTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant DAY = Instant.parse("2026-02-20T00:00:00Z");

    private final UUID tenant = UUID.randomUUID();
    private final UUID session = UUID.randomUUID();
    private final UUID first = Traces.run(tenant, session, DAY);
    private final UUID second = Traces.run(tenant, session, DAY.plusSeconds(1));

    @BeforeAll
    static void migrate() {
        TestDatabase.get().migrate("experiment-service");
        TestDatabase.get().migrate("export-service");
    }

    @Test
    void everyKindOfFeedbackIsAggregated() throws Exception {
        // Given
        insertFeedback(tenant, first, session, "k\"ey", 0.25, null);
        insertFeedback(tenant, first, session, "k\"ey", 0.75, "good");
        insertFeedback(tenant, first, session, "k\"ey", null, "good");
        insertFeedback(tenant, first, session, "k\"ey", null, "{\"a\":1}");
        insertFeedback(tenant, first, session, "k\"ey", null, null);
        insertFeedback(tenant, first, session, "other", -1e300, null);
        insertFeedback(tenant, first, session, "other", 1e300, null);

        // When
        Map<UUID, JsonNode> read = read(() -> {
        });

        // Then
        assertThat(read.get(first)).isEqualTo(JSON.readTree("""
                {"k\\"ey": {"n": 4, "avg": 0.5, "stdev": 0.25, "min": 0.25, "max": 0.75,
                    "values": {"good": 2, "{\\"a\\":1}": 1}},
                 "other": {"n": 2, "avg": null, "stdev": null, "min": -1e300, "max": 1e300, "values": {}}}"""));
        assertThat(read.get(second)).isNull();
    }

    @Test
    void feedbackStoredBeforeItsRunIsIncluded() throws Exception {
        insertFeedback(tenant, second, null, "early", 1.0, null);

        assertThat(read(() -> {
        }).get(second).at("/early/n").intValue()).isEqualTo(1);
    }

    @Test
    void feedbackOnOtherRunsAndSessionsIsExcluded() throws Exception {
        insertFeedback(UUID.randomUUID(), first, session, "k", 1.0, null);
        insertFeedback(tenant, null, session, "k", 1.0, null);

        assertThat(read(() -> {
        })).containsOnlyKeys(first, second).containsEntry(first, null).containsEntry(second, null);
    }

    @Test
    void feedbackStoredDuringTheReadIsExcluded() throws Exception {
        // Given
        insertFeedback(tenant, first, session, "k", 1.0, null);

        // When
        Map<UUID, JsonNode> read = read(() -> insertFeedback(tenant, second, session, "late", 1.0, null));

        // Then
        assertThat(read.get(first)).isNotNull();
        assertThat(read.get(second)).isNull();
    }

    @Test
    void statementOmitsFeedbackOfSessionsWithoutAny() {
        assertThat(query().copyStatement()).contains("trace.feedback");
        assertThat(query().withoutFeedback().copyStatement()).doesNotContain("feedback");
    }

    private Map<UUID, JsonNode> read(Runnable afterFirstRow) throws Exception {
        Map<UUID, JsonNode> read = new LinkedHashMap<>();
        new TraceReader(dataSource()).read(query(), () -> false, row -> {
            String id = text(row, RunColumn.DOTTED_ORDER);
            read.put(UUID.fromString(id.substring(id.length() - 36)), row.isNull(RunColumn.FEEDBACK_STATS) ? null
                    : JSON.readTree(text(row, RunColumn.FEEDBACK_STATS)));
            if (read.size() == 1) {
                afterFirstRow.run();
            }
        });
        return read;
    }

    private static String text(RunRow row, RunColumn column) {
        return new String(row.bytes(), row.offset(column), row.length(column), UTF_8);
    }

    private TraceQuery query() {
        return new TraceQuery(tenant, session, DAY, DAY.plus(Duration.ofDays(1)),
                EnumSet.of(RunColumn.DOTTED_ORDER, RunColumn.FEEDBACK_STATS), null,
                ReadLimits.of(Duration.ofMinutes(10), 1 << 20));
    }

    private static void insertFeedback(UUID tenant, UUID run, UUID session, String key, Double score, String value) {
        Traces.execute(
                """
                        INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, value, label, created_at, modified_at)
                        VALUES (?, gen_random_uuid(), ?, ?, ?, ?, ?, ?, now(), now())
                        """,
                tenant, run, session, key, score, value == null ? null : "\"v\"", value);
    }

    private static PGSimpleDataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(TestDatabase.get().url());
        dataSource.setUser("waybill_export");
        dataSource.setPassword("test");
        return dataSource;
    }
}
