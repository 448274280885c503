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
 * Keeps silent answers alive, and lets go of clients that stand still: one timer for all of them, because there may be very
 * many.
 */
@Singleton
class Heartbeats {

    private static final int LOOKS_PER_BEAT = 5;
    /** After the observer that ends the runs. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;
    private static final Duration MOST_FAREWELL = Duration.ofSeconds(3);

    private final Set<LastingAnswer> answers = ConcurrentHashMap.newKeySet();
    private final Vertx vertx;
    private final long everyNanos;
    private final long stalledNanos;

    Heartbeats(Vertx vertx, RunConfig config) {
        this.vertx = vertx;
        this.everyNanos = config.heartbeat().toNanos();
        this.stalledNanos = config.stalled().toNanos();
    }

    void begin(@Observes StartupEvent starting) {
        vertx.setPeriodic(Math.max(1, everyNanos / 1_000_000 / LOOKS_PER_BEAT), ignored -> look(System.nanoTime()));
    }

    /** The end of the runtime: runs have ended by now, and their clients are to hear of it. */
    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        long end = System.nanoTime() + MOST_FAREWELL.toNanos();
        while (!answers.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    void add(LastingAnswer answer) {
        answers.add(answer);
    }

    void remove(LastingAnswer answer) {
        answers.remove(answer);
    }

    /** @param now by {@link System#nanoTime} */
    void look(long now) {
        for (LastingAnswer answer : answers) {
            ClientConnection client = answer.client();
            long stalledSince = client.stalledSince();
            if (stalledSince != 0 && now - stalledSince >= stalledNanos) {
                client.run(client::drop);
            } else if (now - client.lastWrite() >= everyNanos) {
                answer.beat();
            }
        }
    }
}
