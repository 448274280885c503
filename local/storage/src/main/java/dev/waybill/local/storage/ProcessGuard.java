package dev.waybill.local.storage;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Stops a child process when this JVM ends. A shell reads from a pipe that the kernel closes even after kill -9, then sends the
 * signals: QUIT is PostgreSQL's immediate shutdown and only a thread dump for a JVM, which stops on TERM. Sends KILL after 15
 * seconds.
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

    static ProcessGuard attach(Process child) throws IOException {
        return new ProcessGuard(new ProcessBuilder("sh", "-c", SCRIPT, "guard", Long.toString(child.pid()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** Stops guarding, because the system may reuse the process id of a child that has ended. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
