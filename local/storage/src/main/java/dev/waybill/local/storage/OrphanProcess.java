package dev.waybill.local.storage;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends what an earlier program of ours left running. */
public final class OrphanProcess {

    private static final Duration GRACE = Duration.ofSeconds(10);

    private OrphanProcess() {
    }

    /** In order (PostgreSQL: INT rolls back and stops; a JVM: as Ctrl-C), by force when it does not. */
    public static void end(ProcessHandle server) {
        Signals.send(server.pid(), "INT");
        if (!ended(server)) {
            server.destroyForcibly();
            ended(server);
        }
    }

    private static boolean ended(ProcessHandle server) {
        try {
            server.onExit().get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException _) {
            return !server.isAlive();
        }
    }
}
