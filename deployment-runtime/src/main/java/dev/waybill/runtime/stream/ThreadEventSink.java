package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.vertx.core.buffer.Buffer;

/** Writes the events of a thread's runs, one run after the other, in the format of a client. */
interface ThreadEventSink {

    /** Returns whether the client does not read; the stream continues when it does again. */
    boolean isFull();

    /** Returns the size up to which events are read at once; 1 for one event at a time. */
    int batchBytes();

    /**
     * Begins a run.
     *
     * @param graph null if another replica executes the run
     */
    void begin(UUID run, Instant createdAt, @Nullable String graph);

    /** Writes consecutive events of the run; the last one has this time in milliseconds, 0 if unknown. */
    void write(Buffer events, long millis);

    /**
     * Writes the last events of the run and its end.
     *
     * @param number of the end, after those of the run's events
     */
    void end(Buffer events, long number, long millis);

    /** Writes the last events of a run that another replica executes again. */
    default void release(Buffer events, long number, long millis) {
        end(events, number, millis);
    }

    /** Writes the state of the thread after a client has updated it; a JSON object. */
    default void updated(byte[] state) {
        // Most clients read the events of runs only.
    }
}
