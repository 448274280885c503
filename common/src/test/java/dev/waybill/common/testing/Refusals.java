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
import dev.waybill.common.testing.RawHttp.Answer;

/** That whatever is wrong with a request, the answer is a problem that says so, and nothing has happened. */
public final class Refusals {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Refusals() {
    }

    /** Sends them all with the key; fails naming those that were not refused in words, or when a row was left behind. */
    public static void assertAllRefused(URI server, Account caller, List<Request> requests, String... schemas) {
        Map<String, Long> before = rows(caller.workspaceId(), schemas);
        assertAllRefused(server, caller.key(), requests);
        assertThat(rows(caller.workspaceId(), schemas)).isEqualTo(before);
    }

    /** Sends them all with the key; fails naming those that were not refused in words. */
    public static void assertAllRefused(URI server, String key, List<Request> requests) {
        RawHttp http = new RawHttp(server);
        SoftAssertions softly = new SoftAssertions();
        for (Request request : requests) {
            Map<String, String> headers = new HashMap<>(request.headers());
            headers.put("X-Api-Key", key);
            Answer answer = http.send(request.method(), request.path(), headers, request.body());
            softly.assertThat(answer.status()).as("%s: %s", request, answer.body()).isBetween(400, 499);
            softly.assertThat(answer.header("Content-Type")).as(request.name()).startsWith("application/problem+json");
            softly.assertThat(detail(answer)).as(request.name()).isNotBlank();
        }
        softly.assertAll();
    }

    private static String detail(Answer answer) {
        try {
            return MAPPER.readTree(answer.body()).path("detail").asText();
        } catch (IOException e) {
            return "";
        }
    }

    /** How many rows every table that has some has: of the workspace, where the table knows workspaces. */
    static Map<String, Long> rows(UUID tenantId, String... schemas) {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            Map<String, String> counts = new TreeMap<>();
            try (ResultSet tables = statement.executeQuery("""
                    SELECT t.table_schema || '.' || t.table_name, c.column_name
                    FROM information_schema.tables AS t
                    LEFT JOIN information_schema.columns AS c ON c.table_schema = t.table_schema
                        AND c.table_name = t.table_name AND c.column_name = 'tenant_id'
                    WHERE t.table_type = 'BASE TABLE' AND t.table_schema IN ('%s')
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
                    // A month's partition may be made meanwhile.
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
