package dev.waybill.export.trace;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.sql.Connection;
import java.sql.SQLException;

import org.jboss.logging.Logger;

/**
 * Closes the connection when the thread that uses it is interrupted. On a platform thread, unlike on a virtual one, nothing
 * else ends a read of the driver that waits for PostgreSQL.
 */
final class InterruptibleConnection extends AbstractInterruptibleChannel {

    private static final Logger LOG = Logger.getLogger(InterruptibleConnection.class);

    private final Connection connection;

    InterruptibleConnection(Connection connection) {
        this.connection = connection;
    }

    /** Begins the interruptible section: an interrupt of this thread closes the connection, a pending one immediately. */
    void beginInterruptible() {
        begin();
    }

    /** Ends the interruptible section. The thread's interrupt flag and the exception of the interrupted call remain. */
    void endInterruptible() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            LOG.debug("an interrupt closed the connection", e);
        }
    }

    /** Runs on the interrupting thread. */
    @Override
    protected void implCloseChannel() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("the connection of an interrupted thread could not be closed", e);
        }
    }
}
