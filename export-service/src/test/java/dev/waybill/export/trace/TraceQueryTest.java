package dev.waybill.export.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.filter.FilterParser;

class TraceQueryTest {

    private static final UUID TENANT = UUID.fromString("11111111-0000-4000-8000-000000000001");
    private static final UUID SESSION = UUID.fromString("11111111-0000-4000-8000-000000000002");
    private static final long MAX_BYTES = 1000;

    @Test
    void rowSizeIsLimitedBySelectedTexts() {
        // When
        TraceQuery query = new TraceQuery(TENANT, SESSION, Instant.parse("2026-02-20T00:00:00Z"),
                Instant.parse("2026-02-21T00:00:00Z"), EnumSet.of(RunColumn.ID, RunColumn.INPUTS, RunColumn.ERROR), null,
                ReadLimits.of(Duration.ofHours(4), MAX_BYTES));

        // Then
        assertThat(query.copyStatement()).isEqualTo("""
                COPY (
                    SELECT id, CASE WHEN text_bytes > 1000 THEN export.truncated_text(inputs) ELSE inputs END, \
                CASE WHEN text_bytes > 1000 AND text_bytes - coalesce(octet_length(inputs), 0)::bigint > 1000 \
                AND coalesce(octet_length(error), 0)::bigint > 62 THEN export.truncated_text(error) ELSE error END, \
                CASE WHEN text_bytes > 1000 THEN true END
                    FROM (
                    SELECT id, inputs, error, \
                coalesce(octet_length(inputs), 0)::bigint + coalesce(octet_length(error), 0)::bigint AS text_bytes
                    FROM trace.runs
                    WHERE tenant_id = '11111111-0000-4000-8000-000000000001'::uuid
                      AND session_id = '11111111-0000-4000-8000-000000000002'::uuid
                      AND start_time >= '2026-02-20T00:00:00.000000Z'::timestamptz
                      AND start_time < '2026-02-21T00:00:00.000000Z'::timestamptz
                      AND NOT EXISTS (
                        SELECT FROM trace.session_removals WHERE tenant_id = '11111111-0000-4000-8000-000000000001'::uuid \
                AND session_id = '11111111-0000-4000-8000-000000000002'::uuid)
                    ORDER BY start_time, id
                    ) AS sized
                ) TO STDOUT (FORMAT binary)""");
    }

    @Test
    void statementWithoutFilterSelectsTheRange() {
        // When
        TraceQuery query = query(null, ReadLimits.of(Duration.ofHours(4), MAX_BYTES));

        // Then
        assertThat(query.copyStatement()).isEqualTo(
                """
                        COPY (
                            SELECT id, start_time
                            FROM trace.runs
                            WHERE tenant_id = '11111111-0000-4000-8000-000000000001'::uuid
                              AND session_id = '11111111-0000-4000-8000-000000000002'::uuid
                              AND start_time >= '2026-02-20T00:00:00.000000Z'::timestamptz
                              AND start_time < '2026-02-21T00:00:00.000000Z'::timestamptz
                              AND NOT EXISTS (
                                SELECT FROM trace.session_removals WHERE tenant_id = '11111111-0000-4000-8000-000000000001'::uuid AND session_id = '11111111-0000-4000-8000-000000000002'::uuid)
                            ORDER BY start_time, id
                        ) TO STDOUT (FORMAT binary)""");
        assertThat(query.settings()).containsExactlyInAnyOrderEntriesOf(
                Map.of("waybill.tenant_id", TENANT.toString(), "statement_timeout", "14400000"));
    }

    @Test
    void filterValuesAreSettingsAndNeverLiterals() {
        // When
        TraceQuery query = query("and(eq(name, \"x'; DROP TABLE trace.runs; --\"), gt(latency, '5s'))", new ReadLimits(
                Duration.ofSeconds(5), 20, MAX_BYTES));

        // Then
        assertThat(query.copyStatement()).endsWith(
                """
                                SELECT FROM trace.session_removals WHERE tenant_id = '11111111-0000-4000-8000-000000000001'::uuid AND session_id = '11111111-0000-4000-8000-000000000002'::uuid)
                              AND ((runs.name COLLATE "C" = (SELECT current_setting('waybill.filter_1')::text) \
                        AND coalesce(extract(epoch FROM runs.end_time - runs.start_time) > \
                        (SELECT current_setting('waybill.filter_2')::numeric), FALSE)))
                            ORDER BY start_time, id
                            LIMIT 20
                        ) TO STDOUT (FORMAT binary)""");
        assertThat(query.settings()).containsEntry("waybill.filter_1", "x'; DROP TABLE trace.runs; --")
                .containsEntry("waybill.filter_2", "5")
                .containsEntry("statement_timeout", "5000");
    }

    @Test
    void statementTimeoutIsWithinPostgresLimits() {
        assertThat(query(null, ReadLimits.of(Duration.ZERO, MAX_BYTES)).settings()).containsEntry("statement_timeout", "1");
        assertThat(query(null, ReadLimits.of(Duration.ofDays(365), MAX_BYTES)).settings()).containsEntry("statement_timeout",
                "2147483647");
    }

    private static TraceQuery query(@Nullable String filter, ReadLimits limits) {
        return new TraceQuery(TENANT, SESSION, Instant.parse("2026-02-20T00:00:00Z"), Instant.parse("2026-02-21T00:00:00Z"),
                EnumSet.of(RunColumn.ID, RunColumn.START_TIME), filter == null ? null : FilterParser.parse(filter), limits);
    }
}
