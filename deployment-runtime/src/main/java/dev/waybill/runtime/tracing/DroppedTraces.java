package dev.waybill.runtime.tracing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts runs and steps that are not sent to the trace store, and logs them at most once per interval. */
final class DroppedTraces {

    private static final Logger LOG = Logger.getLogger(DroppedTraces.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final Clock clock;
    private final MeterRegistry metrics;
    private final Map<Reason, Long> unlogged = new EnumMap<>(Reason.class);
    private Instant lastLogged = Instant.MIN;

    /** Reason for dropping runs and steps. */
    enum Reason {
        /** The queue is full: the store is unavailable or too slow. */
        FULL,
        /** The trace exceeds its maximum size or number of steps. */
        TRACE_SIZE,
        /** The worker's report is incomplete or cannot be written. */
        INVALID,
        /** The store rejected it permanently. */
        REFUSED,
        /** The store was unavailable until the retry timeout. */
        GIVEN_UP,
        /** The runtime was shut down before it was sent. */
        SHUTDOWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    DroppedTraces(MeterRegistry metrics, Clock clock) {
        this.clock = clock;
        this.metrics = metrics;
        // Registers all counters at startup, so that they are exported as 0.
        Arrays.stream(Reason.values()).forEach(this::counter);
    }

    void count(Reason reason, long rows) {
        if (rows == 0) {
            return;
        }
        counter(reason).increment(rows);
        String text;
        synchronized (this) {
            unlogged.merge(reason, rows, Long::sum);
            Instant now = clock.instant();
            if (lastLogged.plus(LOG_INTERVAL).isAfter(now)) {
                return;
            }
            lastLogged = now;
            text = drainUnlogged();
        }
        log(text);
    }

    /** Logs the counts since the last log line. */
    void logRemaining() {
        String text;
        synchronized (this) {
            text = drainUnlogged();
        }
        if (!text.isEmpty()) {
            log(text);
        }
    }

    private Counter counter(Reason reason) {
        return metrics.counter("waybill.runtime.traces.dropped", "reason", reason.toString());
    }

    private static void log(String text) {
        LOG.warnf("runs and steps are missing in the trace store: %s", text);
    }

    private String drainUnlogged() {
        String text = unlogged.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
        unlogged.clear();
        return text;
    }
}
