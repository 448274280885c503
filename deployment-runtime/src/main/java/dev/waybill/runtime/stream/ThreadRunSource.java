package dev.waybill.runtime.stream;

import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
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
        private final LongFunction<Remote> elsewhere;
        private boolean missesStart;
        private boolean begun;
        /** Source of the other events of a run that was lost; null for other runs. */
        private @Nullable Remote next;

        /**
         * Opens the run's log; may be called by any thread.
         *
         * @param needsStart whether to send the first event also if it was discarded, because no client read the pending run
         * @param elsewhere returns the source of the events after a number if this replica has lost the run
         */
        Local(Run run, Function<EventLog, EventLog.Cursor> open, boolean needsStart, LongFunction<Remote> elsewhere) {
            this.run = run;
            this.elsewhere = elsewhere;
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
            Remote lost = next;
            return lost == null ? sendRetained(to, budget) : lost.send(to, budget);
        }

        private boolean sendRetained(ThreadEventSink to, ReadBudget budget) {
            while (!budget.isSpent() && !to.isFull()) {
                begin(to);
                EventLog.Batch batch = run.log().poll(cursor, to.batchBytes());
                run.releaseCredit(batch.released());
                budget.add(batch.bytes().length());
                if (batch.finished() && run.isReleased()) {
                    to.release(batch.bytes(), cursor.position(), cursor.millis());
                    return true;
                }
                if (batch.finished() && run.isLost()) {
                    return follow(to, batch.bytes(), budget);
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

        /** Continues with the stored events and the stored end. The last event here only reports the loss. */
        private boolean follow(ThreadEventSink to, Buffer last, ReadBudget budget) {
            Buffer others = withoutLast(last);
            if (others.length() > 0) {
                to.write(others, cursor.millis());
            }
            Remote continued = elsewhere.apply(cursor.position() - 2);
            next = continued;
            return continued.send(to, budget);
        }

        /** Returns the events but the last one; each ends with an empty line, and has no other. */
        private static Buffer withoutLast(Buffer events) {
            byte[] bytes = events.getBytes();
            int end = Math.max(0, bytes.length - 2);
            while (end > 0 && (end < 2 || bytes[end - 1] != '\n' || bytes[end - 2] != '\n')) {
                end--;
            }
            return events.slice(0, end);
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
            Remote lost = next;
            if (lost != null) {
                lost.close();
            }
        }
    }

    /** A run that another replica executes, or has executed. */
    final class Remote implements ThreadRunSource, FollowedRunReader.Sink {

        private final RunResponse run;
        private final ThreadEventSink writer;
        private final Runnable wake;
        private final FollowedRunReader reader;
        private final boolean fromStart;
        private final Part part;
        private boolean reading;
        private boolean finished;

        /** Events of the run that are sent. */
        enum Part {
            /** A run whose values are not those of the thread. */
            WITHOUT_VALUES,
            /** An ended run whose values are those of the thread. */
            WITH_VALUES,
            /** An active run, with the values of the thread if no other run has changed them. */
            ACTIVE,
            /** An active run whose first events were sent. */
            REST
        }

        /**
         * @param position number of the last event that the client has received; -1 for none
         * @param wake called when the run has ended
         */
        Remote(FollowedRuns runs, CallerThread thread, RunResponse run, long position, Part part,
                StreamConnection client, ThreadEventSink writer, Runnable wake) {
            this.run = run;
            this.writer = writer;
            this.wake = wake;
            this.fromStart = position < 0;
            this.part = part;
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
                if (part != Part.REST) {
                    begin(to);
                }
                reader.start();
            }
            return finished;
        }

        private void begin(ThreadEventSink to) {
            to.begin(run.runId(), run.createdAt(), null);
            if (fromStart) {
                to.write(start(run.runId()), run.createdAt().toEpochMilli());
            }
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
        public void succeeded(Buffer values, boolean isLatest) {
            finish(part == Part.WITH_VALUES || (part != Part.WITHOUT_VALUES && isLatest) ? values : Buffer.buffer());
        }

        @Override
        public void failed(RunError error) {
            finish(RemoteRunStream.error(error));
        }

        @Override
        public void deleted(RunError error) {
            // Only a rollback deletes an active run; its end is that of a run of this replica.
            finish(RemoteRunStream.error(RunError.CANCELLED));
        }

        private void finish(Buffer last) {
            boolean isActive = part == Part.ACTIVE || part == Part.REST;
            writer.end(last, reader.position() + 1, isActive ? 0 : run.updatedAt().toEpochMilli());
            finished = true;
            wake.run();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
