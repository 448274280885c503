package dev.waybill.runtime.tracing;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.protocol.Step;

/** Takes what becomes of one run. Every call returns at once, whatever the trace store does. */
public interface RunTrace {

    /** Of a run that is not traced. */
    RunTrace NONE = new RunTrace() {

        @Override
        public long stepBytes() {
            return 0;
        }

        @Override
        public boolean takesOutputs() {
            return false;
        }

        @Override
        public void begun(Instant at) {
            // Nobody wants to know.
        }

        @Override
        public void step(Step step) {
            // Nobody wants to know.
        }

        @Override
        public void ended(End end) {
            // Nobody wants to know.
        }
    };

    /**
     * How a run ended.
     *
     * @param error what went wrong; null when nothing did
     * @param outputs its last values, if it has any
     */
    record End(Instant at, @Nullable String error, @Nullable JsonNode outputs) {

        /** Without what is larger than that. */
        End upTo(long most) {
            return new End(at, error, JsonSize.upTo(most, outputs));
        }
    }

    /** How many bytes of steps the worker is to send; 0 for none. */
    long stepBytes();

    /** Whether it wants to know the run's last values. */
    boolean takesOutputs();

    /** It begins only now. */
    void begun(Instant at);

    /** Its worker told of a part of it. */
    void step(Step step);

    /** It is over; what comes later is not of it any more. */
    void ended(End end);
}
