package dev.waybill.common.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads stored events of the audit log as superuser. Requires control-plane's migrations. */
public final class StoredAuditEvents {

    private static final List<String> COLUMNS = List.of("outcome", "status", "method", "route", "path", "resource_id", "actor",
            "actor_id", "organization_id", "tenant_id", "request_id", "client_address", "user_agent");

    private StoredAuditEvents() {
    }

    /** Returns the values of every event of this request, with the names of the log line. */
    public static List<Map<String, String>> of(String requestId) {
        return read("SELECT * FROM account.audit_events WHERE request_id = ?", requestId, COLUMNS);
    }

    /** Returns the names of the services that stored events of this request. */
    public static List<String> servicesOf(String requestId) {
        return read("SELECT service FROM account.audit_events WHERE request_id = ?", requestId, List.of("service")).stream()
                .flatMap(event -> event.values().stream())
                .toList();
    }

    private static List<Map<String, String>> read(String sql, String requestId, List<String> columns) {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, requestId);
            List<Map<String, String>> events = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    events.add(values(found, columns));
                }
            }
            return events;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> values(ResultSet row, List<String> columns) throws SQLException {
        Map<String, String> values = new HashMap<>();
        for (String column : columns) {
            String value = row.getString(column);
            if (value != null) {
                values.put(column, value);
            }
        }
        return values;
    }
}
