package dev.waybill.local.storage;

import java.nio.file.Path;

/**
 * The settings of a PostgreSQL server.
 *
 * @param dataDirectory created on first use and retained
 * @param logFile receives the server's output
 * @param port on loopback
 * @param superuserPassword of the user {@code postgres}; set when the data directory is created and required afterwards
 * @param durable false disables fsync, for tests only
 * @param detached true leaves the server running when this JVM ends
 */
public record PostgresSettings(Path dataDirectory, Path logFile, int port, String superuserPassword, boolean durable,
        boolean detached) {

    /** Omits the password. */
    @Override
    public String toString() {
        return "PostgresSettings[dataDirectory=" + dataDirectory + ", port=" + port + "]";
    }
}
