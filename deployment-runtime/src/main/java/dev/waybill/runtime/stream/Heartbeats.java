package dev.waybill.runtime.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.runtime.run.RunConfig;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/**
 * Keeps silent answers alive, and lets go of clients that stand still: one timer for all of them, because there may be very
 * many.
 */
@Singleton
class Heartbeats {

    private static final int LOOKS_PER_BEAT = 5;

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
