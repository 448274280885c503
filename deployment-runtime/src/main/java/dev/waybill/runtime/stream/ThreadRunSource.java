package dev.waybill.runtime.stream;

import java.util.UUID;
import java.util.function.Function;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.stream.ThreadRunQueue.ReadBudget;
import io.vertx.core.buffer.Buffer;

/** A run of a streamed thread. Methods are called on the connection's event loop. */
sealed interface ThreadRunSource {

    /** Returns the id of the run. */
    UUID id();

    /** Returns whether the run has started, so that no other run of the thread is running. */
    boolean hasStarted();

    /** Returns whether events of the run were written. */
    boolean hasBegun();

    /** Writes the available events; returns true when these were the last ones. */
    boolean send(ThreadEventSink to, ReadBudget budget);

    /** Releases the events. */
    void close();

    /** Returns the first event of a run, without an id: clients resume after the next one. */
    private static Buffer start(UUID run) {
        return RemoteRunStream.event("metadata",
                Json.bytes(JsonNodeFactory.instance.objectNode().put("run_id", run.toString())));
    }

    /** A run that this replica executes or retains. */
    final class Local implements ThreadRunSource {

        private final Run run;
        private final EventLog.Cursor cursor;
        private boolean missesStart;
        private boolean begun;

        /**
         * Opens the run's log; may be called by any thread.
         *
         * @param needsStart whether to send the first event also if it was discarded, because no client read the pending run
         */
        Local(Run run, Function<EventLog, EventLog.Cursor> open, boolean needsStart) {
            this.run = run;
            this.cursor = open.apply(run.log());
            this.missesStart = needsStart && cursor.position() > run.log().begin();
        }

        /** Returns whether the run has ended and the client has received its end, which has this number, or a later one. */
        boolean isCompleteBefore(long number) {
            return run.status().isFinal() && cursor.position() <= number;
        }

        /** Returns whether events after that number were discarded before the log was opened. */
        boolean misses(long after) {
            return cursor.position() > Math.max(after + 1, run.log().begin());
        }

        @Override
        public UUID id() {
            return run.id();
        }

        @Override
        public boolean hasStarted() {
            return run.status() != RunStatus.PENDING;
        }

        @Override
        public boolean hasBegun() {
            return begun;
        }

        @Override
        public boolean send(ThreadEventSink to, ReadBudget budget) {
            while (!budget.isSpent() && !to.isFull()) {
                begin(to);
                EventLog.Batch batch = run.log().poll(cursor, to.batchBytes());
                run.releaseCredit(batch.released());
                budget.add(batch.bytes().length());
                if (batch.finished() && run.isReleased()) {
                    to.release(batch.bytes(), cursor.position(), cursor.millis());
                    return true;
                }
                if (batch.finished()) {
                    to.end(batch.bytes(), cursor.position(), cursor.millis());
                    return true;
                }
                if (batch.bytes().length() == 0) {
                    return false;
                }
                to.write(batch.bytes(), cursor.millis());
            }
            return false;
        }

        private void begin(ThreadEventSink to) {
            if (!begun) {
                begun = true;
                to.begin(run.id(), run.createdAt(), run.graphId());
                if (missesStart) {
                    to.write(start(run.id()), run.createdAt().toEpochMilli());
                }
            }
        }

        @Override
        public void close() {
            run.releaseCredit(run.log().close(cursor));
        }
    }

    /** A run that another replica executes, or has executed. */
    final class Remote implements ThreadRunSource, FollowedRunReader.Sink {

        private final RunResponse run;
        private final ThreadEventSink writer;
        private final Runnable wake;
        private final FollowedRunReader reader;
        private final boolean fromStart;
        private final boolean hasValues;
        private boolean reading;
        private boolean finished;

        /**
         * @param position number of the last event that the client has received; -1 for none
         * @param hasValues whether the values of the thread are those of the run
         * @param wake called when the run has ended
         */
        Remote(FollowedRuns runs, CallerThread thread, RunResponse run, long position, boolean hasValues,
                StreamConnection client, ThreadEventSink writer, Runnable wake) {
            this.run = run;
            this.writer = writer;
            this.wake = wake;
            this.fromStart = position < 0;
            this.hasValues = hasValues;
            this.reader = new FollowedRunReader(runs, thread, run.runId(), position, client, this);
        }

        @Override
        public UUID id() {
            return run.runId();
        }

        @Override
        public boolean hasStarted() {
            return true;
        }

        @Override
        public boolean hasBegun() {
            return reading;
        }

        @Override
        public boolean send(ThreadEventSink to, ReadBudget budget) {
            if (reading) {
                reader.resume();
            } else {
                reading = true;
                to.begin(run.runId(), run.createdAt(), null);
                if (fromStart) {
                    to.write(start(run.runId()), run.createdAt().toEpochMilli());
                }
                reader.start();
            }
            return finished;
        }

        @Override
        public boolean isFull() {
            return writer.isFull();
        }

        @Override
        public void write(Buffer events) {
            writer.write(events, 0);
        }

        @Override
        public void succeeded(Buffer values) {
            finish(hasValues ? values : Buffer.buffer());
        }

        @Override
        public void failed(RunError error) {
            finish(RemoteRunStream.error(error));
        }

        private void finish(Buffer last) {
            writer.end(last, reader.position() + 1, run.status().isFinal() ? run.updatedAt().toEpochMilli() : 0);
            finished = true;
            wake.run();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
