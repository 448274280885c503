package dev.waybill.export.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Traces;

/** The triggers of experiment-service's migration that record changes of days in the lake. */
class LakeChangesTest {

    private static final LocalDate DAY = LocalDate.parse("2026-03-04");
    private static final Instant START = Instant.parse("2026-03-04T23:59:59.999999Z");

    // The day of this time does not end during a test, also at midnight.
    private final Instant today = Instant.now().plus(Duration.ofHours(1));
    private final UUID tenantId = UUID.randomUUID();
    private final UUID sessionId = UUID.randomUUID();

    @BeforeEach
    void registerDays() {
        TestDatabase.get().migrate("control-plane");
        TestDatabase.get().migrate("experiment-service");
        Traces.execute(
                "INSERT INTO trace.lake_days (tenant_id, day) SELECT ?, d FROM unnest(ARRAY[?, ?, ?]::date[]) AS d",
                tenantId, DAY, DAY.plusDays(1), LocalDate.ofInstant(today, ZoneOffset.UTC));
    }

    @Test
    void recordsInsertsUpdatesAndDeletes() {
        // When
        Traces.run(tenantId, sessionId, START);
        Traces.execute("UPDATE trace.runs SET name = 'patched' WHERE tenant_id = ?", tenantId);
        Traces.execute("DELETE FROM trace.runs WHERE tenant_id = ?", tenantId);

        // Then
        assertThat(changes(DAY)).isEqualTo(3);
        assertThat(changes(DAY.plusDays(1))).isZero();
    }

    @Test
    void recordsBothDaysOfMovedRun() {
        // Given
        Traces.run(tenantId, sessionId, START);

        // When
        Traces.execute("UPDATE trace.runs SET start_time = start_time + interval '1 microsecond' WHERE tenant_id = ?",
                tenantId);

        // Then
        assertThat(changes(DAY)).isEqualTo(2);
        assertThat(changes(DAY.plusDays(1))).isEqualTo(1);
    }

    @Test
    void recordsMoveToLaterAttachedPartition() {
        // Given
        Traces.run(tenantId, sessionId, START);
        Traces.execute("INSERT INTO trace.lake_days (tenant_id, day) VALUES (?, '2023-02-01')", tenantId);
        Instant other = Instant.parse("2023-02-01T00:00:00Z");
        TestDatabase.get().makeRunPartitions(other, other);

        // When
        Traces.execute("UPDATE trace.runs SET start_time = '2023-02-01T00:00:00Z' WHERE tenant_id = ?", tenantId);

        // Then
        assertThat(changes(DAY)).isEqualTo(2);
        assertThat(changes(LocalDate.parse("2023-02-01"))).isEqualTo(1);
    }

    @Test
    void recordsCopiedRowsOncePerTransaction() throws SQLException, IOException {
        // Given
        TestDatabase.get().makeRunPartitions(START, START);
        String row = "%s,%s,%s,2026-03-04T10:00:00Z,%2$s,copied,chain,success,x\n";

        // When
        try (Connection connection = TestDatabase.get().superuser()) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("""
                    COPY trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status, dotted_order)
                    FROM STDIN (FORMAT csv)""", new StringReader(row.formatted(tenantId, UUID.randomUUID(), sessionId)
                    + row.formatted(tenantId, UUID.randomUUID(), sessionId)));
        }

        // Then
        assertThat(changes(DAY)).isEqualTo(1);
    }

    @Test
    void ignoresTodayAndUnknownDays() {
        // When
        Traces.run(tenantId, sessionId, Instant.parse("2026-03-06T00:00:00Z"));
        Traces.run(tenantId, sessionId, today);

        // Then
        assertThat(Traces.all("SELECT day FROM trace.lake_changes WHERE tenant_id = ?", tenantId)).isEmpty();
    }

    @Test
    void ignoresDaysOfOtherWorkspaces() {
        // When
        Traces.run(UUID.randomUUID(), sessionId, START);

        // Then
        assertThat(changes(DAY)).isZero();
    }

    private int changes(LocalDate day) {
        return Traces.all("SELECT xid FROM trace.lake_changes WHERE tenant_id = ? AND day = ?", tenantId, day).size();
    }
}
