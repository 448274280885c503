package dev.waybill.controlplane.rollout;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.job.Lease;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.controlplane.QueryPlan;
import dev.waybill.controlplane.rollout.RolloutQueue.WorkKind;
import io.vertx.mutiny.sqlclient.Tuple;

/** The order of claims (docs/decisions/0061), in a database without workers. */
class RolloutQueueTest {

    private static final int MAX_PER_WORKSPACE = 3;
    private static final TestDatabase WHERE = migrated();
    private static final Database DATABASE = new ReactiveDatabase(WHERE, "waybill_control").database();

    private final RolloutQueue queue = new RolloutQueue(WorkKind.ROLLOUT, MAX_PER_WORKSPACE);
    private final UUID greedy = UUID.randomUUID();
    private final UUID modest = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();
    private Connection connection;

    @BeforeEach
    void begin() {
        connection = WHERE.superuser();
        execute("TRUNCATE deploy.deployments CASCADE");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void limitsClaimsPerWorkspace() {
        // Given
        building(greedy, 100);

        // When
        List<Lease> claimed = claim(queue, 50);

        // Then
        assertThat(claimed).hasSize(MAX_PER_WORKSPACE);
        assertThat(claim(queue, 50)).isEmpty();
    }

    @Test
    void prefersTheWorkspaceWithTheFewestClaims() {
        // Given: the greedy workspace's deployments were due long before the others
        building(greedy, 100);
        List<Lease> held = claim(queue, 2);
        building(modest, 2);
        building(third, 1);

        // When
        List<UUID> served = IntStream.range(0, 5).mapToObj(i -> claim(queue, 1)).flatMap(List::stream).map(Lease::tenantId)
                .toList();

        // Then
        assertThat(held).extracting(Lease::tenantId).containsOnly(greedy);
        assertThat(served.subList(0, 2)).containsExactlyInAnyOrder(modest, third);
        assertThat(served.subList(2, served.size())).containsExactly(modest, greedy);
    }

    @Test
    void servesWorkspacesRoundRobin() {
        // Given
        building(greedy, 30);
        building(modest, 3);
        building(third, 3);
        List<UUID> served = new ArrayList<>();

        // When: each one completes before the next claim
        for (int i = 0; i < 9; i++) {
            Lease claimed = claim(queue, 1).getFirst();
            served.add(claimed.tenantId());
            execute("UPDATE deploy.deployments SET lease_until = NULL, next_look_at = NULL WHERE id = '" + claimed.id() + "'");
        }

        // Then
        assertThat(served.subList(0, 3)).containsExactlyInAnyOrder(greedy, modest, third);
        assertThat(served.subList(3, 6)).isEqualTo(served.subList(0, 3));
        assertThat(served.subList(6, 9)).isEqualTo(served.subList(0, 3));
    }

    @Test
    void sharesOneClaimEqually() {
        // Given
        building(greedy, 100);
        building(modest, 100);

        // When
        List<Lease> claimed = claim(queue, 4);

        // Then
        assertThat(claimed).extracting(Lease::tenantId).containsExactlyInAnyOrder(greedy, greedy, modest, modest);
    }

    @Test
    void maintenanceDoesNotWaitForBuilds() {
        // Given
        building(greedy, 100);
        claim(queue, 50);
        add(greedy, 1, "DEPLOYED");

        // When
        List<Lease> claimed = claim(new RolloutQueue(WorkKind.MAINTENANCE, MAX_PER_WORKSPACE), 50);

        // Then
        assertThat(claimed).extracting(Lease::tenantId).containsExactly(greedy);
    }

    @ParameterizedTest
    @EnumSource(WorkKind.class)
    void doesNotClaimDeploymentsThatAreNotDue(WorkKind kind) {
        // Given
        building(greedy, 1);
        add(greedy, 1, "DEPLOYED");
        execute("UPDATE deploy.deployments SET next_look_at = now() + interval '1 hour'");

        // Then
        assertThat(claim(new RolloutQueue(kind, MAX_PER_WORKSPACE), 50)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(WorkKind.class)
    void claimReadsOnlyDueDeployments(WorkKind kind) {
        // Given
        add(greedy, 500, "DEPLOYED");
        execute("UPDATE deploy.deployments SET next_look_at = now() + interval '5 minutes'");
        add(modest, 1, kind == WorkKind.ROLLOUT ? "BUILDING" : "DEPLOYED");
        execute("ANALYZE deploy.deployments; ANALYZE deploy.revisions");

        // When
        QueryPlan plan = await(DATABASE.everyWorkspace(connection -> QueryPlan.ofAll(connection,
                RolloutQueue.DUE.formatted(kind.condition(), MAX_PER_WORKSPACE).replace("$3", "$1::int").replace("$4",
                        "$2::uuid"),
                Tuple.of(10, new UUID(0, 0)))));

        // Then
        assertThat(plan.rows()).as(plan.text()).isLessThan(20);
    }

    @Test
    void reclaimsExpiredLeases() {
        // Given
        building(greedy, MAX_PER_WORKSPACE);
        List<Lease> dead = claim(queue, MAX_PER_WORKSPACE);
        execute("UPDATE deploy.deployments SET lease_until = now() - interval '1 second'");

        // When
        List<Lease> claimed = claim(queue, 50);

        // Then
        assertThat(claimed).extracting(Lease::id).containsExactlyInAnyOrderElementsOf(dead.stream().map(Lease::id).toList());
    }

    private static List<Lease> claim(RolloutQueue from, int limit) {
        return await(DATABASE.everyWorkspace(connection -> from.claim(connection, "test", Duration.ofHours(1), limit)));
    }

    private void building(UUID tenantId, int deployments) {
        add(tenantId, deployments, "BUILDING");
    }

    /** Adds due deployments, each with one revision. */
    private void add(UUID tenantId, int deployments, String status) {
        execute("""
                WITH made AS (
                    INSERT INTO deploy.deployments (tenant_id, id, name, source, source_config, source_revision_config,
                        secret_names, port, url, next_look_at)
                    SELECT '%1$s', gen_random_uuid(), gen_random_uuid(), 'repohost', '{}', '{}', '{}', 0, 'http://localhost',
                        now() - interval '1 minute'
                    FROM generate_series(1, %2$s)
                    RETURNING tenant_id, id)
                INSERT INTO deploy.revisions (tenant_id, id, deployment_id, number, status, source, source_config,
                    source_revision_config)
                SELECT tenant_id, gen_random_uuid(), id, 1, '%3$s', 'repohost', '{}', '{}' FROM made
                """.formatted(tenantId, deployments, status));
    }

    private void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TestDatabase migrated() {
        TestDatabase database = TestDatabase.another();
        database.migrate("control-plane");
        return database;
    }
}
