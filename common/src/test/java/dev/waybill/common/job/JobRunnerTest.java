package dev.waybill.common.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.logging.LoggingContext;
import dev.waybill.common.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.SqlConnection;

class JobRunnerTest {

    /** The lease outlasts any pause of a test machine. */
    private static final LeaseTiming TIMING = new LeaseTiming(Duration.ofMinutes(5), Duration.ofMillis(100));

    private final Vertx vertx = Vertx.vertx();
    private final LeasedRows first = new LeasedRows();
    private final LeasedRows second = new LeasedRows();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final Handler urgent = new Handler("urgent", first, 1);
    private final Handler normal = new Handler("normal", second, 2);
    private JobRunner runner = runner(1);

    @AfterEach
    void close() {
        runner.stop();
        first.close();
        second.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void performsEveryDueRowOnce() {
        // Given
        urgent.work = lease -> finish(first, lease);
        normal.work = lease -> finish(second, lease);
        first.insert(5);
        second.insert(5);

        // When
        runner.poll();

        // Then
        Patience.await().until(() -> first.count("done AND work = 1") == 5 && second.count("done AND work = 1") == 5);
        Patience.await().until(() -> runner.running() == 0);
    }

    @Test
    void claimsInTheOrderOfTheHandlersUpToTheirSlots() {
        // Given
        first.insert(3);
        second.insert(3);

        // When
        runner.poll();

        // Then
        Patience.await().until(() -> runner.running() == 3);
        assertThat(runner.running(urgent)).isEqualTo(1);
        assertThat(runner.running(normal)).isEqualTo(2);
        assertThat(events).startsWith("urgent claimed 1");
        assertThat(second.count("lease_until IS NOT NULL")).isEqualTo(2);
    }

    @Test
    void claimsAllFreeSlotsInOneTransaction() {
        // Given
        runner = runner(Integer.MAX_VALUE);
        first.insert(3);
        second.insert(3);

        // When
        runner.poll();

        // Then
        Patience.await().until(() -> runner.running() == 3);
        assertThat(events).containsExactly("urgent claimed 1", "normal claimed 2");
    }

    @Test
    void stopCancelsJobsAndReleasesTheirRows() {
        // Given
        second.insert(2);
        runner.poll();
        Patience.await().until(() -> runner.running(normal) == 2);

        // When
        runner.stop();

        // Then
        assertThat(second.count("lease_until IS NULL")).isEqualTo(2);
        assertThat(events).filteredOn(event -> !event.contains("claimed"))
                .containsExactlyInAnyOrder("cancelled", "cancelled", "before release", "before release");
        assertThat(runner.running()).isZero();
    }

    @Test
    void cancelStopsTheJobAndReleasesItsRow() {
        // Given
        second.insert(1);
        runner.poll();
        Patience.await().until(() -> normal.created.size() == 1 && runner.running() == 1);
        Lease lease = normal.created.element();
        normal.work = held -> finish(second, held);

        // When
        runner.cancel(lease.id());

        // Then
        Patience.await().until(() -> second.count("done") == 1);
        assertThat(events).contains("cancelled", "lease lost").doesNotContain("before release");
    }

    @Test
    void cancelOfAnUnknownRowPolls() {
        // Given
        second.insert(1);

        // When
        runner.cancel(UUID.randomUUID());

        // Then
        Patience.await().until(() -> runner.running(normal) == 1);
    }

    @Test
    void lostLeaseCancelsTheJob() {
        // Given
        second.insert(1);
        runner.poll();
        Patience.await().until(() -> runner.running() == 1);

        // When
        second.execute("UPDATE jobs! SET lease_token = lease_token + 1, done = true");

        // Then
        Patience.await().until(() -> events.contains("lease lost"));
        Patience.await().until(() -> runner.running() == 0);
        assertThat(events).contains("cancelled").doesNotContain("before release");
    }

    @Test
    void secondClaimOfTheSameRowCancelsTheEarlierJob() {
        // Given
        runner = runner(1, new Handler("normal", second, 2, new LeaseTiming(Duration.ofMinutes(5), Duration.ofMinutes(1))));
        second.insert(1);
        runner.poll();
        Patience.await().until(() -> runner.running() == 1);

        // When: before the heartbeat notices the loss
        second.execute("UPDATE jobs! SET lease_until = NULL");
        runner.poll();

        // Then
        Patience.await().until(() -> events.contains("lease lost"));
        Patience.await().until(() -> second.count("lease_token = 2") == 1 && runner.running() == 1);
    }

    @Test
    void jobWithoutStoredResultFreesItsSlot() {
        // Given
        normal.work = lease -> Uni.createFrom().failure(new IllegalStateException("cannot be stored"));
        second.insert(1);

        // When
        runner.poll();

        // Then: the row is claimed again when its lease expires
        Patience.await().until(() -> events.contains("normal claimed 1") && runner.running() == 0);
        assertThat(second.count("lease_until > now()")).isEqualTo(1);
    }

    private JobRunner runner(int maxPerClaim) {
        return runner(maxPerClaim, urgent, normal);
    }

    private JobRunner runner(int maxPerClaim, Handler... handlers) {
        return new JobRunner(first.database(), new SimpleMeterRegistry(), new LoggingContext(vertx), maxPerClaim,
                List.of(handlers));
    }

    private static Uni<Void> finish(LeasedRows rows, Lease lease) {
        return rows.finishing(lease).replaceWithVoid();
    }

    /** Claims the rows of a table; its jobs never end unless {@link #work} is set. */
    private final class Handler extends JobHandler {

        private final String name;
        private final Queue<Lease> created = new ConcurrentLinkedQueue<>();
        private volatile Function<Lease, Uni<Void>> work = lease -> Uni.createFrom().<Void> nothing()
                .onCancellation().invoke(() -> events.add("cancelled"));

        private Handler(String name, LeasedRows rows, int maxConcurrent) {
            this(name, rows, maxConcurrent, TIMING);
        }

        private Handler(String name, LeasedRows rows, int maxConcurrent, LeaseTiming timing) {
            super(rows.leases(), timing, maxConcurrent, "row_id");
            this.name = name;
        }

        @Override
        protected Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int limit) {
            return super.claim(connection, owner, length, limit)
                    .invoke(claimed -> {
                        if (!claimed.isEmpty()) {
                            events.add(name + " claimed " + claimed.size());
                        }
                    });
        }

        @Override
        protected Job create(Lease lease) {
            created.add(lease);
            return new Job() {

                @Override
                public Uni<Void> perform() {
                    return work.apply(lease);
                }

                @Override
                public Uni<Void> onLeaseLost() {
                    events.add("lease lost");
                    return Uni.createFrom().voidItem();
                }

                @Override
                public Uni<Void> beforeRelease() {
                    events.add("before release");
                    return Uni.createFrom().voidItem();
                }
            };
        }
    }
}
