package dev.waybill.experiment.partition;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.vertx.pgclient.PgException;

/** There is no partition yet for one of these start times; the transaction is to be done again once there is. */
public final class MissingPartitionException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final String CHECK_VIOLATION = "23514";

    private final transient List<Instant> startTimes;

    public MissingPartitionException(Collection<Instant> startTimes) {
        super("there is no partition for some of the runs");
        this.startTimes = List.copyOf(startTimes);
    }

    /** Whether this is how PostgreSQL says it: a check that no constraint stands for. */
    public static boolean isToldBy(Throwable failure) {
        return failure instanceof PgException told && CHECK_VIOLATION.equals(told.getSqlState())
                && told.getConstraint() == null;
    }

    List<Instant> startTimes() {
        return startTimes;
    }
}
