package dev.waybill.experiment.lake;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A statement that another thread can cancel, also before it begins. */
final class RunningStatement {

    private static final Logger LOG = Logger.getLogger(RunningStatement.class);

    private @Nullable Statement statement;
    private boolean isCancelled;

    /** @throws SQLTimeoutException if it was cancelled before */
    synchronized void begin(Statement begun) throws SQLTimeoutException {
        if (isCancelled) {
            throw new SQLTimeoutException("cancelled");
        }
        statement = begun;
    }

    synchronized void end() {
        statement = null;
    }

    synchronized void cancel() {
        isCancelled = true;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                LOG.debug("a statement could not be cancelled", e);
            }
        }
    }

    synchronized boolean isCancelled() {
        return isCancelled;
    }
}
