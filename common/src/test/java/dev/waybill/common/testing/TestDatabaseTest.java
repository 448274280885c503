package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Test;

class TestDatabaseTest {

    private final TestDatabase database = TestDatabase.get();

    @Test
    void otherServicesCanReadButNotCreateKeys() throws SQLException {
        // Given
        database.migrate("control-plane");
        Account account = Accounts.account().create();

        try (Connection export = DriverManager.getConnection(database.url(), "waybill_export", TestDatabase.PASSWORD);
                Statement statement = export.createStatement()) {
            // When
            ResultSet keys = statement.executeQuery("SELECT id FROM account.api_keys WHERE id = '" + account.apiKeyId() + "'");

            // Then
            assertThat(keys.next()).isTrue();
            assertThatThrownBy(() -> statement.execute("UPDATE account.api_keys SET role = 'admin'"))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void testKeysHaveTheFormatOfRealKeys() {
        // Given
        database.migrate("control-plane");

        // When
        Account account = Accounts.account().create();

        // Then
        assertThat(account.key()).matches("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
    }
}
