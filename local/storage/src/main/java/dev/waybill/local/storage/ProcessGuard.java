package dev.waybill.local.storage;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Ends a child process when this JVM ends: a tiny shell holds a pipe to us and sends the signals when the pipe closes, which
 * the kernel does for us even after kill -9. PostgreSQL takes QUIT as its immediate stop, which takes its own children along; a
 * JVM only prints its threads then, ends in order at TERM, and with it what it has started. What has not ended soon is killed.
 */
final class ProcessGuard implements AutoCloseable {

    private static final String SCRIPT = """
            trap '' INT
            cat >/dev/null
            kill -QUIT "$1" && kill -TERM "$1" || exit 0
            for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
                sleep 1
                kill -0 "$1" || exit 0
            done
            kill -KILL "$1"
            """;

    private final Process shell;

    private ProcessGuard(Process shell) {
        this.shell = shell;
    }

    static ProcessGuard tie(Process child) throws IOException {
        return new ProcessGuard(new ProcessBuilder("sh", "-c", SCRIPT, "guard", Long.toString(child.pid()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** The child has ended in order: its process id may soon be another's. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
