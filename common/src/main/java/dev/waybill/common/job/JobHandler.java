package dev.waybill.common.job;

import java.time.Duration;
import java.util.List;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** A kind of job: which rows are due, how many this replica performs concurrently, and the work on each. */
public abstract class JobHandler {

    private final LeaseTable leases;
    private final LeaseTiming timing;
    private final int maxConcurrent;
    private final String idKey;

    /**
     * @param leases the rows
     * @param maxConcurrent number of jobs of this kind that this replica performs concurrently
     * @param idKey log key of the row's id
     */
    protected JobHandler(LeaseTable leases, LeaseTiming timing, int maxConcurrent, String idKey) {
        this.leases = leases;
        this.timing = timing;
        this.maxConcurrent = maxConcurrent;
        this.idKey = idKey;
    }

    /** Creates the job of a claimed row. */
    protected abstract Job create(Lease lease);

    /** Claims at most {@code limit} due rows for {@code length}, in a transaction that sees every workspace. */
    protected Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int limit) {
        return leases.claim(connection, owner, length, limit);
    }

    /** Releases the lease of a row whose work was cancelled or not started. */
    protected Uni<?> release(SqlConnection connection, Lease lease) {
        return leases.release(connection, lease);
    }

    LeaseTable leases() {
        return leases;
    }

    LeaseTiming timing() {
        return timing;
    }

    int maxConcurrent() {
        return maxConcurrent;
    }

    String idKey() {
        return idKey;
    }
}
