package dev.waybill.common.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.waybill.common.testing.Patience;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaseHeartbeatTest {

    /** Longer than any pause of a test machine. */
    private static final LeaseTiming TIMING = new LeaseTiming(Duration.ofMinutes(5), Duration.ofMillis(100));
    private static final LeaseTiming SHORT = new LeaseTiming(Duration.ofSeconds(3), Duration.ofMillis(250));
    private static final Function<SqlConnection, Uni<Void>> NO_CALLBACK = connection -> Uni.createFrom().voidItem();

    private final LeasedRows rows = new LeasedRows();
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final LeaseHeartbeat heartbeat = new LeaseHeartbeat(rows.database(), metrics);

    @BeforeEach
    void oneJob() {
        rows.execute("DELETE FROM jobs!");
        rows.insert(1);
    }

    @AfterAll
    void close() {
        rows.close();
    }

    @Test
    void leaseIsRenewedWhileWorkIsInProgress() {
        // Given: a lease that has expired and was not claimed by another worker
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        rows.execute("UPDATE jobs! SET lease_until = now()");

        // When
        String result = await(heartbeat.whileHeld(rows.leases(), lease, TIMING, NO_CALLBACK,
                held -> until(() -> rows.count("lease_until > now()") == 1)));

        // Then
        assertThat(result).isEqualTo("done");
        assertThat(rows.claim("two", TIMING.length(), 1)).isEmpty();
        assertThat(rows.finish(lease)).isTrue();
    }

    @Test
    void callbackRunsWithEachRenewal() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        AtomicInteger renewals = new AtomicInteger();

        // When
        await(heartbeat.whileHeld(rows.leases(), lease, TIMING, connection -> Uni.createFrom().voidItem()
                .invoke(renewals::incrementAndGet), held -> until(() -> renewals.get() >= 3)));

        // Then
        assertThat(renewals).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void workIsCancelledWhenTheLeaseIsLost() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        AtomicBoolean cancelled = new AtomicBoolean();
        AtomicInteger renewals = new AtomicInteger();
        rows.execute("UPDATE jobs! SET lease_token = lease_token + 1");

        // When
        Uni<String> work = heartbeat.whileHeld(rows.leases(), lease, TIMING,
                connection -> Uni.createFrom().voidItem().invoke(renewals::incrementAndGet),
                held -> lasting(Duration.ofHours(1), "done").onCancellation().invoke(() -> cancelled.set(true)));

        // Then
        assertThatThrownBy(() -> await(work)).isInstanceOf(LeaseLostException.class);
        Patience.await().untilTrue(cancelled);
        assertThat(renewals).hasValue(0);
    }

    @Test
    void workIsCancelledWhenTheLeaseCannotBeRenewedInTime() throws SQLException {
        // Given
        Lease lease = rows.claim("one", SHORT.length(), 1).getFirst();
        AtomicBoolean cancelled = new AtomicBoolean();
        Uni<String> work = heartbeat.whileHeld(rows.leases(), lease, SHORT, NO_CALLBACK,
                held -> lasting(Duration.ofHours(1), "done").onCancellation().invoke(() -> cancelled.set(true)));

        // When
        try (Connection ignored = rows.lock()) {
            assertThatThrownBy(() -> await(work)).isInstanceOf(LeaseLostException.class);
        }

        // Then
        Patience.await().untilTrue(cancelled);
    }

    @Test
    void failureOfTheWorkIsReturned() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();

        // When
        Uni<String> work = heartbeat.whileHeld(rows.leases(), lease, TIMING, NO_CALLBACK,
                held -> Uni.createFrom().failure(new IllegalStateException("no")));

        // Then
        assertThatThrownBy(() -> await(work)).isInstanceOf(IllegalStateException.class).hasMessage("no");
        assertThat(metrics.find("waybill.leases.lost").tag("table", rows.leases().name()).counter())
                .as("registered before the first increment").isNotNull();
    }

    @Test
    void rejectsRenewalIntervalCloseToTheLength() {
        assertThatThrownBy(() -> new LeaseTiming(Duration.ofSeconds(3), Duration.ofMillis(1001)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shortLeaseIsRenewedFiveTimesInItsLength() {
        assertThat(LeaseTiming.of(Duration.ofSeconds(20), Duration.ofSeconds(2)).renewal()).hasSeconds(2);
        assertThat(LeaseTiming.of(Duration.ofSeconds(3), Duration.ofSeconds(2)).renewal()).hasMillis(600);
    }

    private static Uni<String> until(BooleanSupplier condition) {
        return Uni.createFrom().item(condition::getAsBoolean)
                .onItem().delayIt().by(Duration.ofMillis(50))
                .repeat().until(done -> done)
                .collect().last()
                .replaceWith("done");
    }

    private static Uni<String> lasting(Duration time, String result) {
        return Uni.createFrom().item(result).onItem().delayIt().by(time);
    }
}
