package dev.waybill.common.database;

import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.vertx.core.http.HttpClosedException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;

/** Recognizes failures that mean that the database is stopped, starting, failing over or not reachable. */
public final class DatabaseOutage {

    private static final int DEEPEST_CAUSE = 20;
    /** Shutdown, crash, start, too many connections, and a primary that has become a standby. */
    private static final Set<String> STATES = Set.of("57P01", "57P02", "57P03", "53300", "25006");
    private static final String CONNECTION_EXCEPTION = "08";
    private static final Set<String> CLOSED = Set.of("Connection was closed", "Connection is closed",
            "Connection is not active now", "Pool closed");

    private DatabaseOutage() {
    }

    /** Returns the message of the cause that is an outage, if there is one. */
    public static Optional<String> reason(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST_CAUSE)
                .filter(DatabaseOutage::isOutage)
                .map(cause -> cause.getClass().getSimpleName() + ": " + cause.getMessage())
                .findFirst();
    }

    private static boolean isOutage(Throwable cause) {
        return switch (cause) {
            case PgException answer -> isOutage(answer.getSqlState());
            case SQLException answer -> isOutage(answer.getSQLState());
            case ClosedConnectionException ignored -> true;
            case SocketException ignored -> true;
            case UnknownHostException ignored -> true;
            // The client's own connection.
            case HttpClosedException ignored -> false;
            default -> CLOSED.stream().anyMatch(String.valueOf(cause.getMessage())::startsWith);
        };
    }

    private static boolean isOutage(@Nullable String state) {
        return state != null && (STATES.contains(state) || state.startsWith(CONNECTION_EXCEPTION));
    }
}
