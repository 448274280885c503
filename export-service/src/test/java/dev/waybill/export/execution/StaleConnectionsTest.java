package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;

/** Pooled connections that were closed while idle, as after a restart of PostgreSQL. */
@ExportServiceTest
class StaleConnectionsTest {

    private static final int CONNECTIONS = 5;

    @Inject
    DataSource dataSource;

    @Test
    void closedConnectionsCostNoAttempt() throws SQLException {
        // Given
        Exports exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        List<Integer> idle = idleConnections();

        // When
        end(idle);
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat(exports.client().runs(id).asString()).doesNotContain("source_unavailable");
    }

    /** Returns the PostgreSQL processes of idle pooled connections. */
    private List<Integer> idleConnections() throws SQLException {
        List<Connection> connections = new ArrayList<>();
        List<Integer> processes = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = dataSource.getConnection();
                connections.add(connection);
                processes.add(number(connection, "SELECT pg_backend_pid()"));
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        return processes;
    }

    private static void end(List<Integer> processes) throws SQLException {
        try (Connection superuser = TestDatabase.get().superuser()) {
            for (int process : processes) {
                assertThat(number(superuser, "SELECT pg_terminate_backend(" + process + ", 60000)::int")).isEqualTo(1);
            }
        }
    }

    private static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet response = statement.executeQuery(query)) {
            response.next();
            return response.getInt(1);
        }
    }
}
