package dev.waybill.controlplane.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestDatabase;
import io.quarkus.test.junit.QuarkusTest;

/** The query of docs/operations/security.md "Rotating keys" that shows which encryption keys are in use. */
@QuarkusTest
class KeyRotationTest {

    @Test
    void documentedQueryCountsRowsByEncryptionKey() throws Exception {
        // Given
        Map<String, Long> before = rowsByKey();

        // When: the secrets of the deployment, those of its revision, and its tracing key
        Deployments.create(Deployments.account(), Deployments.body(Deployments.newName(), "main",
                ", \"secrets\": [{\"name\": \"TOKEN\", \"value\": \"of an application\"}]"), 201);

        // Then
        Map<String, Long> after = rowsByKey();
        assertThat(after.keySet()).containsOnly("test");
        assertThat(after.get("test")).isGreaterThanOrEqualTo(before.getOrDefault("test", 0L) + 3);
    }

    private static Map<String, Long> rowsByKey() throws IOException, SQLException {
        String reference = Files.readString(Path.of(System.getProperty("waybill.root"), "docs", "operations", "security.md"));
        int begin = reference.indexOf("SELECT key, sum(secrets)");
        String query = reference.substring(begin, reference.indexOf(';', begin));
        Map<String, Long> rowsByKey = new TreeMap<>();
        try (Connection connection = TestDatabase.get().superuser();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                rowsByKey.put(rows.getString("key"), rows.getLong("secrets"));
            }
        }
        return rowsByKey;
    }
}
