package dev.waybill.local.storage;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Ends a child process when this JVM ends: a tiny shell holds a pipe to us and sends the signals when the pipe closes, which
 * the
 * kernel does for us even after kill -9. PostgreSQL takes QUIT as its immediate stop, which takes its own children along; a JVM
 * only
 * prints its threads and needs the second signal.
 */
final class ProcessGuard implements AutoCloseable {

    private static final String SCRIPT = "trap '' INT; cat >/dev/null; kill -QUIT \"$1\" && sleep 5 && kill -KILL \"$1\"";

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
