package dev.waybill.local.storage;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops a server process that an earlier run left behind. */
public final class OrphanProcess {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private OrphanProcess() {
    }

    /** Sends SIGINT (a fast shutdown of PostgreSQL, a regular one of a JVM) and kills the process after a timeout. */
    public static void stop(ProcessHandle server) {
        Signals.send(server.pid(), "INT");
        if (!awaitExit(server)) {
            server.destroyForcibly();
            awaitExit(server);
        }
    }

    private static boolean awaitExit(ProcessHandle server) {
        try {
            server.onExit().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException _) {
            return !server.isAlive();
        }
    }
}
