package dev.waybill.runtime.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.runtime.run.RunConfig;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;

/** Keeps silent answers alive: one timer for all of them, because there may be very many. */
@Singleton
class Heartbeats {

    private static final int LOOKS_PER_BEAT = 5;

    private final Set<Beating> answers = ConcurrentHashMap.newKeySet();
    private final Vertx vertx;
    private final long everyNanos;

    Heartbeats(Vertx vertx, RunConfig config) {
        this.vertx = vertx;
        this.everyNanos = config.heartbeat().toNanos();
    }

    /** An answer that may be silent for long. */
    interface Beating {

        /** When it last said something, by {@link System#nanoTime}. */
        long lastWrite();

        /** Says that it is still there. */
        void beat();
    }

    void begin(@Observes StartupEvent starting) {
        vertx.setPeriodic(Math.max(1, everyNanos / 1_000_000 / LOOKS_PER_BEAT), ignored -> look(System.nanoTime()));
    }

    void add(Beating answer) {
        answers.add(answer);
    }

    void remove(Beating answer) {
        answers.remove(answer);
    }

    private void look(long now) {
        for (Beating answer : answers) {
            if (now - answer.lastWrite() >= everyNanos) {
                answer.beat();
            }
        }
    }
}
