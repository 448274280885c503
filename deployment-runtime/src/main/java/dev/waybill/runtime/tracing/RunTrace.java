package dev.waybill.runtime.tracing;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.protocol.Message.Step;

/** Recorder of a run's trace. No call blocks, whatever the state of the trace store. */
public interface RunTrace {

    /** Trace of a run that is not traced. */
    RunTrace NONE = new RunTrace() {

        @Override
        public long stepBytes() {
            return 0;
        }

        @Override
        public boolean needsOutputs() {
            return false;
        }

        @Override
        public void started(Instant at) {
            // Not traced.
        }

        @Override
        public void step(Step step) {
            // Not traced.
        }

        @Override
        public void ended(End end) {
            // Not traced.
        }
    };

    /**
     * Result of a run.
     *
     * @param error error message; null if the run succeeded
     * @param outputs final values, if any
     */
    record End(Instant at, @Nullable String error, @Nullable JsonNode outputs) {

        /** Returns a copy with a placeholder for outputs that exceed the limit. */
        End limit(long maxBytes) {
            return new End(at, error, JsonMemory.limit(maxBytes, outputs));
        }
    }

    /** Returns the maximum total size of steps that the worker may send; 0 for none. */
    long stepBytes();

    /** Returns whether the trace needs the run's final values. */
    boolean needsOutputs();

    /** Records the start of the run. */
    void started(Instant at);

    /** Records a step. */
    void step(Step step);

    /** Records the end of the run; later steps are ignored. */
    void ended(End end);
}
