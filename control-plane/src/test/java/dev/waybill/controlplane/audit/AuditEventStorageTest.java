package dev.waybill.controlplane.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.StoredAuditEvents;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class AuditEventStorageTest {

    private static final String FAULT = "audit_fault";
    private static final int CLIENTS = 25;

    private final Account admin = Accounts.account().create();

    @Inject
    AuditEventService events;

    @AfterEach
    void removeFault() {
        DatabaseInspector.update("ALTER TABLE account.audit_events DROP CONSTRAINT IF EXISTS " + FAULT);
    }

    @Test
    void failureToStoreDoesNotFailTheRequest() {
        // Given
        DatabaseInspector.update("ALTER TABLE account.audit_events ADD CONSTRAINT " + FAULT + " CHECK (tenant_id <> '"
                + admin.workspaceId() + "') NOT VALID");

        // When
        HttpResult created = AuditEvents.createKey(admin);

        // Then
        String requestId = created.header("X-Request-Id");
        assertThat(created.status()).isEqualTo(201);
        assertThat(StoredAuditEvents.of(requestId)).isEmpty();
        assertThat(JsonLog.linesWith(requestId)).filteredOn(line -> line.at("/level").asText().equals("WARN"))
                .singleElement().satisfies(line -> assertThat(line.at("/message").asText()).contains("could not be stored"));
    }

    @Test
    void lockedTableKeepsNoConnections() throws Exception {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            // Given
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE account.audit_events IN ACCESS EXCLUSIVE MODE");

            // When: more requests than connections of the pool, while the lock is held
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<HttpResult>> created = IntStream.range(0, CLIENTS)
                        .mapToObj(_ -> clients.submit(() -> AuditEvents.createKey(admin))).toList();

                // Then
                for (Future<HttpResult> one : created) {
                    assertThat(one.get().status()).isEqualTo(201);
                }
            }
        }
    }

    @Test
    void expiredEventsAreDeletedInBatches() {
        // Given
        AuditEvents.insert(admin, 1_500, "366 days");
        AuditEvents.insert(admin, 2, "360 days");

        // When
        events.deleteExpired().await().indefinitely();

        // Then
        assertThat(AuditEvents.count(admin.workspaceId())).isEqualTo(2);
    }
}
