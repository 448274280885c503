package dev.waybill.export.trace;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.sql.Connection;
import java.sql.SQLException;

import org.jboss.logging.Logger;

/**
 * Makes an interrupt of the thread that uses a connection close the connection. On a thread of the system, unlike on a virtual
 * one, nothing else ends a read of the driver that waits for PostgreSQL.
 */
final class InterruptibleConnection extends AbstractInterruptibleChannel {

    private static final Logger LOG = Logger.getLogger(InterruptibleConnection.class);

    private final Connection connection;

    InterruptibleConnection(Connection connection) {
        this.connection = connection;
    }

    /** From here on an interrupt of this thread closes the connection, and one that came before does so at once. */
    void beginInterruptible() {
        begin();
    }

    /** No longer. What the interrupt has ended is seen by the thread's flag and by what its use of the connection threw. */
    void endInterruptible() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            LOG.debug("an interrupt closed the connection", e);
        }
    }

    /** On the thread that interrupts. */
    @Override
    protected void implCloseChannel() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("the connection of an interrupted thread could not be closed", e);
        }
    }
}
