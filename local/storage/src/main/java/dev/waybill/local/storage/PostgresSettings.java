package dev.waybill.local.storage;

import java.nio.file.Path;

/**
 * Where and how a PostgreSQL runs.
 *
 * @param dataDirectory made on first use, kept afterwards
 * @param logFile where the server writes
 * @param port on loopback
 * @param superuserPassword of the user {@code postgres}; used when the data directory is made, needed ever after
 * @param durable false leaves out fsync, which only tests may
 * @param detached true leaves the server running when this JVM ends
 */
public record PostgresSettings(Path dataDirectory, Path logFile, int port, String superuserPassword, boolean durable,
        boolean detached) {

    /** Keeps the password out of logs. */
    @Override
    public String toString() {
        return "PostgresSettings[dataDirectory=" + dataDirectory + ", port=" + port + "]";
    }
}
