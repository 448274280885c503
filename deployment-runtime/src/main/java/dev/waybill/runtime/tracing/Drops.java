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

/** Counts the runs and steps that the trace store will not have, and says so in the log, but not for each of them. */
final class Drops {

    private static final Logger LOG = Logger.getLogger(Drops.class);
    private static final Duration SAID_EVERY = Duration.ofMinutes(1);

    private final Clock clock;
    private final MeterRegistry metrics;
    private final Map<Reason, Long> unsaid = new EnumMap<>(Reason.class);
    private Instant said = Instant.MIN;

    /** Why something is dropped. */
    enum Reason {
        /** There is no memory left for it: the store is away, or slower than the runs. */
        FULL,
        /** The run has more steps, or larger ones, than one trace may have. */
        TRACE_SIZE,
        /** The worker told it so that it cannot be understood. */
        INVALID,
        /** The store said that it will never take it. */
        REFUSED,
        /** The store could not take it for a long time. */
        GIVEN_UP,
        /** The runtime stopped before the store had it. */
        SHUTDOWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Drops(MeterRegistry metrics, Clock clock) {
        this.clock = clock;
        this.metrics = metrics;
        // So that they are there, as nothing, from the beginning.
        Arrays.stream(Reason.values()).forEach(this::counter);
    }

    void note(Reason reason, long runs) {
        if (runs == 0) {
            return;
        }
        counter(reason).increment(runs);
        String text;
        synchronized (this) {
            unsaid.merge(reason, runs, Long::sum);
            Instant now = clock.instant();
            if (said.plus(SAID_EVERY).isAfter(now)) {
                return;
            }
            said = now;
            text = takeUnsaid();
        }
        say(text);
    }

    /** Says what was not said yet. */
    void sayRest() {
        String text;
        synchronized (this) {
            text = takeUnsaid();
        }
        if (!text.isEmpty()) {
            say(text);
        }
    }

    private Counter counter(Reason reason) {
        return metrics.counter("waybill.runtime.traces.dropped", "reason", reason.toString());
    }

    private static void say(String text) {
        LOG.warnf("runs and steps are missing in the trace store: %s", text);
    }

    private String takeUnsaid() {
        String text = unsaid.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
        unsaid.clear();
        return text;
    }
}
