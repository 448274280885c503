package dev.waybill.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Named pipe that transfers rows as CSV, written by {@code psql} if it is installed, otherwise by pgjdbc. */
final class CsvPipe implements AutoCloseable {

    private final Path file;
    private @Nullable FutureTask<Void> writeTask;

    private CsvPipe(Path file) {
        this.file = file;
    }

    static CsvPipe create(Path file) throws IOException, InterruptedException {
        Files.deleteIfExists(file);
        run(new ProcessBuilder("mkfifo", file.toString()));
        return new CsvPipe(file);
    }

    /** Returns whether {@code psql} is installed. */
    static boolean hasPsql() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "psql")));
    }

    Path file() {
        return file;
    }

    /** Starts to write rows in the background; the reader determines the speed. */
    void fill(String url, String copy) {
        Callable<Void> work = hasPsql() ? () -> psql(url, copy) : () -> pgjdbc(url, copy);
        writeTask = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(writeTask);
    }

    void awaitEnd() throws InterruptedException {
        if (writeTask != null) {
            try {
                writeTask.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the CSV transfer failed", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }

    private @Nullable Void psql(String url, String copy) throws IOException, InterruptedException {
        URI address = URI.create(url.substring("jdbc:".length()));
        run(new ProcessBuilder("psql", "-X", "-q", "-d", address.toString(), "-c", copy)
                .redirectOutput(Redirect.to(file.toFile())));
        return null;
    }

    private @Nullable Void pgjdbc(String url, String copy) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(url); OutputStream out = Files.newOutputStream(file)) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyOut(copy, out);
        }
        return null;
    }

    private static void run(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.redirectError(Redirect.INHERIT).start();
        if (process.waitFor() != 0) {
            throw new IOException(command.command().getFirst() + " failed");
        }
    }
}
