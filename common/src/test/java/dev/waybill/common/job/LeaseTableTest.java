package dev.waybill.common.job;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaseTableTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final LeasedRows rows = new LeasedRows();

    @BeforeEach
    void empty() {
        rows.execute("DELETE FROM jobs!");
    }

    @AfterAll
    void close() {
        rows.close();
    }

    @Test
    void claimsAtMostTheLimitInOrder() {
        // Given
        rows.insert(10);

        // When
        List<Lease> claimed = rows.claim("one", LONG, 3);

        // Then
        assertThat(claimed).hasSize(3);
        assertThat(rows.count("lease_owner = 'one' AND position <= 3")).isEqualTo(3);
    }

    @Test
    void heldAndFinishedRowsAreNotClaimed() {
        // Given
        rows.insert(2);
        List<Lease> held = rows.claim("one", LONG, 2);
        rows.finish(held.getFirst());

        // When
        List<Lease> claimed = rows.claim("two", LONG, 2);

        // Then
        assertThat(claimed).isEmpty();
    }

    @Test
    void concurrentClaimersNeverClaimTheSameRow() throws Exception {
        // Given
        rows.insert(4);
        List<Callable<List<Lease>>> claimers = IntStream.range(0, 16)
                .<Callable<List<Lease>>> mapToObj(n -> () -> rows.claim("claimer " + n, LONG, 1))
                .toList();
        List<Lease> claimed = new ArrayList<>();

        // When
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (Future<List<Lease>> result : threads.invokeAll(claimers)) {
                claimed.addAll(result.get());
            }
        }

        // Then
        assertThat(claimed).extracting(Lease::id).doesNotHaveDuplicates();
        // A claimer that found every row locked claimed nothing; the next claim finds the remaining rows.
        claimed.addAll(rows.claim("late", LONG, 16));
        assertThat(claimed).hasSize(4).extracting(Lease::id).doesNotHaveDuplicates();
        assertThat(claimed).allMatch(rows::finish);
        assertThat(rows.count("work = 1")).isEqualTo(4);
    }

    @Test
    void manyWorkersProcessEachRowOnce() throws Exception {
        // Given
        rows.insert(200);
        Callable<Integer> worker = () -> {
            int done = 0;
            for (List<Lease> leases = rows.claim("w", LONG, 5); !leases.isEmpty(); leases = rows.claim("w", LONG, 5)) {
                done += (int) leases.stream().filter(rows::finish).count();
            }
            return done;
        };

        // When
        int done = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (Future<Integer> result : threads.invokeAll(IntStream.range(0, 16).mapToObj(n -> worker).toList())) {
                done += result.get();
            }
        }

        // Then
        assertThat(done).isEqualTo(200);
        assertThat(rows.count("work = 1")).isEqualTo(200);
    }

    @Test
    void pausedWorkerLosesExpiredLeaseToTheNext() {
        // Given
        rows.insert(1);
        Lease paused = rows.claim("paused", SHORT, 1).getFirst();
        Lease next = await().until(() -> rows.claim("next", LONG, 1), claimed -> !claimed.isEmpty()).getFirst();

        // When
        boolean renewed = rows.renew(paused, LONG);
        boolean finished = rows.finish(paused);
        boolean released = rows.release(paused);

        // Then
        assertThat(next.token()).isEqualTo(paused.token() + 1);
        assertThat(List.of(renewed, finished, released)).containsOnly(false);
        assertThat(rows.finish(next)).isTrue();
    }

    @Test
    void expiredLeaseCanBeRenewedIfNotClaimed() {
        // Given
        rows.insert(1);
        Lease lease = rows.claim("one", Duration.ZERO, 1).getFirst();

        // When
        boolean renewed = rows.renew(lease, LONG);

        // Then
        assertThat(renewed).isTrue();
        assertThat(rows.claim("two", LONG, 1)).isEmpty();
    }

    @Test
    void releasedRowIsClaimedWithANewToken() {
        // Given
        rows.insert(1);
        Lease first = rows.claim("one", LONG, 1).getFirst();
        rows.release(first);

        // When
        Lease second = rows.claim("two", LONG, 1).getFirst();

        // Then
        assertThat(second.token()).isEqualTo(first.token() + 1);
        assertThat(rows.renew(first, LONG)).isFalse();
    }

    @Test
    void releasedLeaseCannotBeRenewed() {
        // Given
        rows.insert(1);
        Lease lease = rows.claim("one", LONG, 1).getFirst();
        rows.release(lease);

        // When
        boolean renewed = rows.renew(lease, LONG);

        // Then
        assertThat(renewed).isFalse();
    }
}
