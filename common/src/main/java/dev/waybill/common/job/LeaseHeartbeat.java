package dev.waybill.common.job;

import java.time.Duration;
import java.util.function.Function;

import dev.waybill.common.database.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Renews a lease while work is in progress and cancels the work if the lease is lost. */
final class LeaseHeartbeat {

    private static final Duration RETRY = Duration.ofMillis(200);

    private final Database database;
    private final MeterRegistry metrics;

    LeaseHeartbeat(Database database, MeterRegistry metrics) {
        this.database = database;
        this.metrics = metrics;
    }

    /**
     * Executes {@code work} while the lease is held. If the lease is lost or cannot be renewed in time, the Uni of the work is
     * cancelled and the returned Uni fails with {@link LeaseLostException}.
     *
     * @param onRenewal executed in the transaction of each renewal, for example to store progress
     */
    <T> Uni<T> whileHeld(LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> onRenewal, Function<Lease, Uni<T>> work) {
        // Registered before the first increment, because Prometheus does not count the increase of a series that starts above
        // 0.
        Counter lost = metrics.counter("waybill.leases.lost", "table", table.name());
        return Uni.combine().any().of(work.apply(lease), untilLost(table, lease, timing, onRenewal))
                .onFailure(LeaseLostException.class)
                .invoke(() -> lost.increment());
    }

    private <T> Uni<T> untilLost(LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> onRenewal) {
        return Uni.createFrom().voidItem()
                .onItem().delayIt().by(timing.renewal())
                .chain(() -> renew(table, lease, timing, onRenewal))
                .repeat().indefinitely()
                .collect().last()
                .onItem().transformToUni(never -> Uni.createFrom().failure(new LeaseLostException(lease, null)));
    }

    // A renewal that blocks is as bad as one that fails, so the total time of its attempts is limited.
    private Uni<Void> renew(LeaseTable table, Lease lease, LeaseTiming timing, Function<SqlConnection, Uni<Void>> onRenewal) {
        return database.inWorkspace(lease.tenantId(), connection -> renewAndNotify(connection, table, lease, timing, onRenewal))
                .onFailure(failure -> !(failure instanceof LeaseLostException)).retry().withBackOff(RETRY).indefinitely()
                .ifNoItem().after(timing.renewalTimeout()).fail()
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .transform(failure -> new LeaseLostException(lease, failure));
    }

    private static Uni<Void> renewAndNotify(SqlConnection connection, LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> onRenewal) {
        return table.renew(connection, lease, timing.length())
                .chain(held -> held ? onRenewal.apply(connection)
                        : Uni.createFrom().failure(new LeaseLostException(lease, null)));
    }
}
