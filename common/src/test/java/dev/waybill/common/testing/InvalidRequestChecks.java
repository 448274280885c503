package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.assertj.core.api.SoftAssertions;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.MalformedRequests.Request;
import dev.waybill.common.testing.RawHttp.Response;

/** Asserts that every invalid request returns a problem with a detail and changes no row. */
public final class InvalidRequestChecks {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private InvalidRequestChecks() {
    }

    /** Sends all requests; fails if one is not rejected with a detail or if the number of rows changed. */
    public static void assertAllRejected(URI server, Account caller, List<Request> requests, String... schemas) {
        Map<String, Long> before = rows(caller.workspaceId(), schemas);
        assertAllRejected(server, caller.key(), requests);
        assertThat(rows(caller.workspaceId(), schemas)).isEqualTo(before);
    }

    /** Sends all requests; fails if one is not rejected with a detail. */
    public static void assertAllRejected(URI server, String key, List<Request> requests) {
        RawHttp http = new RawHttp(server);
        SoftAssertions softly = new SoftAssertions();
        for (Request request : requests) {
            Map<String, String> headers = new HashMap<>(request.headers());
            headers.put("X-Api-Key", key);
            Response response = http.send(request.method(), request.path(), headers, request.body());
            softly.assertThat(response.status()).as("%s: %s", request, response.body()).isBetween(400, 499);
            softly.assertThat(response.header("Content-Type")).as(request.name()).startsWith("application/problem+json");
            softly.assertThat(detail(response)).as(request.name()).isNotBlank();
        }
        softly.assertAll();
    }

    private static String detail(Response response) {
        try {
            return MAPPER.readTree(response.body()).path("detail").asText();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the number of rows of each table that is not empty; of the workspace, if the table has workspaces. */
    static Map<String, Long> rows(UUID tenantId, String... schemas) {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            Map<String, String> counts = new TreeMap<>();
            try (ResultSet tables = statement.executeQuery("""
                    SELECT t.table_schema || '.' || t.table_name, c.column_name
                    FROM information_schema.tables AS t
                    LEFT JOIN information_schema.columns AS c ON c.table_schema = t.table_schema
                        AND c.table_name = t.table_name AND c.column_name = 'tenant_id'
                    WHERE t.table_type = 'BASE TABLE' AND t.table_schema IN ('%s') AND t.table_name <> 'audit_events'
                    """.formatted(String.join("', '", schemas)))) {
                while (tables.next()) {
                    counts.put(tables.getString(1), "SELECT count(*) FROM " + tables.getString(1)
                            + (tables.getString(2) == null ? "" : " WHERE tenant_id = '" + tenantId + "'"));
                }
            }
            assertThat(counts).isNotEmpty();
            Map<String, Long> rows = new TreeMap<>();
            for (Map.Entry<String, String> count : counts.entrySet()) {
                try (ResultSet found = statement.executeQuery(count.getValue())) {
                    found.next();
                    // A partition may be created concurrently.
                    if (found.getLong(1) > 0) {
                        rows.put(count.getKey(), found.getLong(1));
                    }
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
