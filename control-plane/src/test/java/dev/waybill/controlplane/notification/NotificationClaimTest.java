package dev.waybill.controlplane.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.Lease;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.DatabaseInspector;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** The order in which deliveries are claimed. The rows are due in the transaction of the test only. */
@QuarkusTest
class NotificationClaimTest {

    private final Account busy = Accounts.account().create();
    private final Account other = Accounts.account().create();

    @Inject
    Database database;

    @Inject
    NotificationDeliveryRepository deliveries;

    @Test
    void firstAttemptsPrecedeRetries() {
        // Given
        insert(busy, 10, 3);
        UUID fresh = insert(busy, 1, 0).getFirst();

        // When
        List<Lease> claimed = claim(1);

        // Then
        assertThat(claimed).singleElement().satisfies(lease -> assertThat(lease.id()).isEqualTo(fresh));
    }

    @Test
    void workspacesWithFewerDeliveriesInProgressComeFirst() {
        // Given
        insert(busy, 10, 0);
        insert(other, 2, 5);

        // When
        List<UUID> tenants = claim(8).stream().map(Lease::tenantId).toList();

        // Then: alternating, and four of a workspace at most
        assertThat(tenants).hasSize(6);
        assertThat(tenants.subList(0, 4)).containsExactlyInAnyOrder(busy.workspaceId(), busy.workspaceId(),
                other.workspaceId(), other.workspaceId());
    }

    /** Makes the rows of both workspaces due, claims one after the other, and rolls back. */
    private List<Lease> claim(int count) {
        List<Lease> claimed = new ArrayList<>();
        database.everyWorkspace(connection -> connection.query("""
                UPDATE account.notification_deliveries SET next_attempt_at = created_at WHERE tenant_id IN ('%s', '%s')
                """.formatted(busy.workspaceId(), other.workspaceId())).execute()
                .chain(() -> claim(connection, count, claimed))
                .chain(() -> Uni.createFrom().failure(new RollbackException())))
                .onFailure(RollbackException.class).recoverWithNull()
                .await().indefinitely();
        return claimed;
    }

    private Uni<Void> claim(SqlConnection connection, int count, List<Lease> claimed) {
        return count == 0 ? Uni.createFrom().voidItem()
                : deliveries.leases().claim(connection, "test", Duration.ofMinutes(1), 1)
                        .invoke(claimed::addAll)
                        .chain(() -> claim(connection, count - 1, claimed));
    }

    /** Inserts deliveries that are due in a day, so that no replica claims them. */
    private static List<UUID> insert(Account account, int count, int attempts) {
        UUID rule = UUID.randomUUID();
        DatabaseInspector.update("INSERT INTO account.notification_rules (tenant_id, id, name, events, email_to) VALUES ('"
                + account.workspaceId() + "', '" + rule + "', 'x', '{export.failed}', '{a@example.com}')");
        List<UUID> ids = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            UUID id = UUID.randomUUID();
            ids.add(id);
            DatabaseInspector.update("""
                    INSERT INTO account.notification_deliveries (tenant_id, id, rule_id, type, data, attempts, next_attempt_at)
                    VALUES ('%s', '%s', '%s', 'test', '{}', %s, now() + interval '1 day')
                    """.formatted(account.workspaceId(), id, rule, attempts));
        }
        return ids;
    }

    private static final class RollbackException extends RuntimeException {
    }
}
