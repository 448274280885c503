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

/** Recognizes failures caused by a database that is stopped, starting, failing over or unreachable. */
public final class DatabaseOutage {

    private static final int MAX_CAUSE_DEPTH = 20;
    /** Shutdown, crash, startup, too many connections, and a primary that became a standby. */
    private static final Set<String> STATES = Set.of("57P01", "57P02", "57P03", "53300", "25006");
    private static final String CONNECTION_EXCEPTION = "08";
    private static final Set<String> CLOSED = Set.of("Connection was closed", "Connection is closed",
            "Connection is not active now", "Pool closed");

    private DatabaseOutage() {
    }

    /** Returns the class and message of the first cause that indicates an outage. */
    public static Optional<String> reason(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSE_DEPTH)
                .filter(DatabaseOutage::isOutage)
                .map(cause -> cause.getClass().getSimpleName() + ": " + cause.getMessage())
                .findFirst();
    }

    private static boolean isOutage(Throwable cause) {
        return switch (cause) {
            case PgException error -> isOutage(error.getSqlState());
            case SQLException error -> isOutage(error.getSQLState());
            case ClosedConnectionException ignored -> true;
            case SocketException ignored -> true;
            case UnknownHostException ignored -> true;
            // A closed connection of the HTTP client, not of the database.
            case HttpClosedException ignored -> false;
            default -> CLOSED.stream().anyMatch(String.valueOf(cause.getMessage())::startsWith);
        };
    }

    private static boolean isOutage(@Nullable String state) {
        return state != null && (STATES.contains(state) || state.startsWith(CONNECTION_EXCEPTION));
    }
}
