package dev.waybill.common.lease;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import io.smallrye.mutiny.Uni;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaseKeeperTest {

    private static final LeaseTiming TIMING = new LeaseTiming(Duration.ofMillis(900), Duration.ofMillis(150));

    private final LeasedRows rows = new LeasedRows();
    private final LeaseKeeper keeper = new LeaseKeeper(rows.database());

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
    void workThatTakesLongerThanTheLeaseKeepsIt() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();

        // When
        String result = await(keeper.whileHeld(rows.leases(), lease, TIMING, held -> lasting(Duration.ofSeconds(2), "done")));

        // Then
        assertThat(result).isEqualTo("done");
        assertThat(rows.finish(lease)).isTrue();
    }

    @Test
    void whatIsWorthTellingIsToldWithEachRenewal() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        AtomicInteger told = new AtomicInteger();

        // When
        await(keeper.whileHeld(rows.leases(), lease, TIMING, connection -> Uni.createFrom().voidItem()
                .invoke(told::incrementAndGet), held -> lasting(Duration.ofSeconds(1), "done")));

        // Then
        assertThat(told.get()).isBetween(2, 7);
    }

    @Test
    void workEndsWhenTheLeaseIsTakenAway() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        AtomicBoolean cancelled = new AtomicBoolean();
        AtomicInteger told = new AtomicInteger();
        rows.execute("UPDATE jobs! SET lease_token = lease_token + 1");

        // When
        Uni<String> work = keeper.whileHeld(rows.leases(), lease, TIMING,
                connection -> Uni.createFrom().voidItem().invoke(told::incrementAndGet),
                held -> lasting(Duration.ofSeconds(15), "done").onCancellation().invoke(() -> cancelled.set(true)));

        // Then
        assertThatThrownBy(() -> await(work)).isInstanceOf(LeaseLostException.class);
        assertThat(cancelled).isTrue();
        assertThat(told).hasValue(0);
    }

    @Test
    void workEndsInTimeWhenTheLeaseCannotBeRenewed() throws SQLException {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();
        AtomicBoolean cancelled = new AtomicBoolean();
        Uni<String> work = keeper.whileHeld(rows.leases(), lease, TIMING,
                held -> lasting(Duration.ofSeconds(15), "done").onCancellation().invoke(() -> cancelled.set(true)));

        // When
        long before = System.nanoTime();
        try (Connection ignored = rows.lock()) {
            assertThatThrownBy(() -> await(work)).isInstanceOf(LeaseLostException.class);
        }

        // Then
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(cancelled).isTrue();
    }

    @Test
    void aFailureOfTheWorkIsTheAnswer() {
        // Given
        Lease lease = rows.claim("one", TIMING.length(), 1).getFirst();

        // When
        Uni<String> work = keeper.whileHeld(rows.leases(), lease, TIMING,
                held -> Uni.createFrom().failure(new IllegalStateException("no")));

        // Then
        assertThatThrownBy(() -> await(work)).isInstanceOf(IllegalStateException.class).hasMessage("no");
    }

    @Test
    void aLeaseThatIsRenewedTooSeldomIsRefused() {
        assertThatThrownBy(() -> new LeaseTiming(Duration.ofSeconds(3), Duration.ofMillis(1001)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Uni<String> lasting(Duration time, String result) {
        return Uni.createFrom().item(result).onItem().delayIt().by(time);
    }
}
