package dev.waybill.runtime.stream;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import dev.waybill.runtime.run.RunConfig;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/**
 * Sends heartbeats on silent responses and aborts connections of stalled clients. One timer serves all responses, which
 * can be many.
 */
@Singleton
class HeartbeatTimer {

    private static final int CHECKS_PER_INTERVAL = 5;
    /** After {@code RunRegistry}, which ends the remaining runs. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;
    private static final Duration MAX_FLUSH_TIME = Duration.ofSeconds(3);
    /** About a kilobyte per second is enough for a client not to count as stalled. */
    static final Duration STALL_TIMEOUT = Duration.ofMinutes(2);

    private final Set<ResponseStream> responses = ConcurrentHashMap.newKeySet();
    private final Vertx vertx;
    private final long intervalNanos;
    private final long stallTimeoutNanos;

    HeartbeatTimer(Vertx vertx, RunConfig config) {
        this.vertx = vertx;
        this.intervalNanos = config.heartbeatInterval().toNanos();
        this.stallTimeoutNanos = STALL_TIMEOUT.toNanos();
    }

    void begin(@Observes StartupEvent starting) {
        vertx.setPeriodic(Math.max(1, intervalNanos / 1_000_000 / CHECKS_PER_INTERVAL), ignored -> check(System.nanoTime()));
    }

    /** Waits at shutdown until clients have received the end of their runs. */
    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        long end = System.nanoTime() + MAX_FLUSH_TIME.toNanos();
        while (!responses.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    void add(ResponseStream response) {
        responses.add(response);
    }

    void remove(ResponseStream response) {
        responses.remove(response);
    }

    /** @param now by {@link System#nanoTime} */
    void check(long now) {
        for (ResponseStream response : responses) {
            StreamConnection client = response.client();
            long stalledSince = client.stalledSince();
            if (stalledSince != 0 && now - stalledSince >= stallTimeoutNanos) {
                client.run(client::abort);
            } else if (now - client.lastWrite() >= intervalNanos) {
                response.sendHeartbeat();
            }
        }
    }
}
