package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;

/** Migrates runs from the unpartitioned table. */
class PartitionMigrationTest {

    private static final String PREVIOUS_VERSION = "202611210500";
    private static final String VERSION = "202611210530";
    private static final String ALL_RUNS = "SELECT jsonb_agg(to_jsonb(r) ORDER BY tenant_id, id)::text FROM trace.runs r";

    @Test
    void migrationMovesRunsUnchangedToTheirMonths() throws SQLException {
        // Given
        TestDatabase database = TestDatabase.another();
        database.migrate("experiment-service", PREVIOUS_VERSION);
        try (Connection connection = database.superuser()) {
            Rows.value(connection,
                    """
                            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, received_at, trace_id, name, run_type,
                                status, dotted_order, parent_run_ids, tags, total_cost, total_tokens, inputs, outputs, received_in)
                            SELECT md5('tenant' || n % 2)::uuid, md5('run' || n)::uuid, md5('session' || n % 3)::uuid,
                                '1999-12-20T00:00:00.000001Z'::timestamptz + n * interval '37 days 5 hours', now(), now() - interval '1 day',
                                md5('run' || n)::uuid, 'step', 'chain', 'success', 'x' || n, ARRAY[md5('run' || n)::uuid],
                                ARRAY['a', NULL], n / 7.0, n, '{"u": "\\u0000"}', repeat(md5(n::text), n),
                                CASE WHEN n % 5 > 0 THEN pg_current_xact_id() END
                            FROM generate_series(0, 500) AS n""");
            String before = Rows.value(connection, ALL_RUNS);

            // When
            database.migrate("experiment-service", VERSION);

            // Then
            assertThat(Rows.value(connection, ALL_RUNS)).isEqualTo(before);
            assertThat(Rows.value(connection, """
                    SELECT count(*) FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)"""))
                    .isEqualTo("501");
            assertThat(Rows.value(connection, "SELECT string_agg(relname, ',') FROM pg_class WHERE relname ~ 'in_one_table'"))
                    .isNull();
        }
    }
}
