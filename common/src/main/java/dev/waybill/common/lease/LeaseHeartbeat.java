package dev.waybill.common.lease;

import java.time.Duration;
import java.util.function.Function;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Holds a lease while work is under way: keeps renewing it and ends the work when it is lost. */
@Singleton
public class LeaseHeartbeat {

    private static final Duration RETRY = Duration.ofMillis(200);

    private final Database database;
    private final MeterRegistry metrics;

    public LeaseHeartbeat(Database database, MeterRegistry metrics) {
        this.database = database;
        this.metrics = metrics;
    }

    /**
     * Does {@code work} under {@code lease}. When the lease is lost, or cannot be renewed in time, the work's Uni is
     * cancelled and the answer fails with {@link LeaseLostException}.
     */
    public <T> Uni<T> whileHeld(LeaseTable table, Lease lease, LeaseTiming timing, Function<Lease, Uni<T>> work) {
        return whileHeld(table, lease, timing, connection -> Uni.createFrom().voidItem(), work);
    }

    /**
     * As above, and does {@code note} in the transaction of each renewal, only while the lease is held: what is worth
     * telling of work under way costs no transaction of its own.
     */
    public <T> Uni<T> whileHeld(LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> note, Function<Lease, Uni<T>> work) {
        // There before it counts: an increase is seen only of what was there before, as nothing.
        Counter lost = metrics.counter("waybill.leases.lost", "table", table.name());
        return Uni.combine().any().of(work.apply(lease), untilLost(table, lease, timing, note))
                .onFailure(LeaseLostException.class)
                .invoke(() -> lost.increment());
    }

    private <T> Uni<T> untilLost(LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> note) {
        return Uni.createFrom().voidItem()
                .onItem().delayIt().by(timing.renewal())
                .chain(() -> renew(table, lease, timing, note))
                .repeat().indefinitely()
                .collect().last()
                .onItem().transformToUni(never -> Uni.createFrom().failure(new LeaseLostException(lease, null)));
    }

    // A renewal that hangs is as bad as one that fails, so its time is limited as a whole.
    private Uni<Void> renew(LeaseTable table, Lease lease, LeaseTiming timing, Function<SqlConnection, Uni<Void>> note) {
        return database.inWorkspace(lease.tenantId(), connection -> renewAndNote(connection, table, lease, timing, note))
                .onFailure(failure -> !(failure instanceof LeaseLostException)).retry().withBackOff(RETRY).indefinitely()
                .ifNoItem().after(timing.patience()).fail()
                .onFailure(failure -> !(failure instanceof LeaseLostException))
                .transform(failure -> new LeaseLostException(lease, failure));
    }

    private static Uni<Void> renewAndNote(SqlConnection connection, LeaseTable table, Lease lease, LeaseTiming timing,
            Function<SqlConnection, Uni<Void>> note) {
        return table.renew(connection, lease, timing.length())
                .chain(held -> held ? note.apply(connection) : Uni.createFrom().failure(new LeaseLostException(lease, null)));
    }
}
