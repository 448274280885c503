package dev.waybill.experiment.partition;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.vertx.pgclient.PgException;

/** A partition is missing for one of these start times; the transaction must be retried after the partition is created. */
public final class MissingPartitionException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final String CHECK_VIOLATION = "23514";

    private final transient List<Instant> startTimes;

    public MissingPartitionException(Collection<Instant> startTimes) {
        super("partitions are missing for some of the runs");
        this.startTimes = List.copyOf(startTimes);
    }

    /** Returns whether PostgreSQL reported a missing partition: a check violation without a constraint. */
    public static boolean isReportedBy(Throwable failure) {
        return failure instanceof PgException error && CHECK_VIOLATION.equals(error.getSqlState())
                && error.getConstraint() == null;
    }

    List<Instant> startTimes() {
        return startTimes;
    }
}
