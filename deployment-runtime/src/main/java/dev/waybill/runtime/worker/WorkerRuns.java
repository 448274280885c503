package dev.waybill.runtime.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.protocol.MessageWriter;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.WorkerRequests.RunRequests;
import dev.waybill.runtime.worker.Workers.RunHandle;

/** The active runs of a worker, from the start request to its response. */
final class WorkerRuns {

    private final Map<UUID, WorkerRun> byId = new ConcurrentHashMap<>();
    private final Map<Long, WorkerRun> byRequest = new ConcurrentHashMap<>();
    /** Accessed by the worker's reading thread only. */
    private final List<WorkerRun> markForFlush = new ArrayList<>();

    void add(long request, WorkerRun run) {
        byId.put(run.id(), run);
        byRequest.put(request, run);
    }

    int count() {
        return byId.size();
    }

    boolean has(WorkerRun run) {
        return byId.get(run.id()) == run;
    }

    boolean isOpen(long request) {
        return byRequest.containsKey(request);
    }

    @Nullable
    WorkerRun find(UUID id) {
        return byId.get(id);
    }

    /** Returns the run, unless it has ended for its client. */
    @Nullable
    WorkerRun findActive(UUID id) {
        WorkerRun run = byId.get(id);
        return run == null || run.isEnded() ? null : run;
    }

    /** Returns the run that the request started; null if there is none. */
    @Nullable
    WorkerRun findByRequest(long request) {
        return byRequest.get(request);
    }

    boolean haveAllEnded() {
        return byId.values().stream().allMatch(WorkerRun::isEnded);
    }

    /** Removes and returns the run that the request started; null if there is none. */
    @Nullable
    WorkerRun removeByRequest(long request) {
        WorkerRun run = byRequest.remove(request);
        if (run != null) {
            remove(run);
        }
        return run;
    }

    void remove(WorkerRun run) {
        byId.remove(run.id(), run);
    }

    List<WorkerRun> removeAll() {
        List<WorkerRun> all = List.copyOf(byRequest.values());
        byId.clear();
        byRequest.clear();
        return all;
    }

    /** Marks the run for the next {@link #flush}. */
    void markForFlush(WorkerRun run) {
        // Consecutive events mostly belong to one run; a second flush is harmless.
        if (markForFlush.isEmpty() || markForFlush.getLast() != run) {
            markForFlush.add(run);
        }
    }

    /** Flushes all marked runs, once for all events that were received together. */
    void flush() {
        markForFlush.forEach(WorkerRun::flush);
        markForFlush.clear();
    }

    /**
     * A run in its worker: tracks its credit and notifies the sink of its end exactly once. Events are delivered by
     * the worker's
     * reading
     * thread; the end can be reported by any thread.
     */
    static final class WorkerRun implements RunHandle {

        private final UUID id;
        private final long window;
        private final long maxStepBytes;
        private final RunSink sink;
        private final Worker worker;
        private long granted;
        private long received;
        private long pendingCredit;
        private long steps;
        private long late;
        private boolean ended;
        /** End of a run that violated the protocol; null: it did not. */
        private @Nullable Outcome violation;
        private @Nullable RunRequests requests;
        private final boolean stateRequest;
        private boolean released;

        /** @param maxStepBytes maximum total size of steps; beyond it, the run fails */
        WorkerRun(UUID id, long window, long maxStepBytes, RunSink sink, Worker worker) {
            this(id, window, maxStepBytes, sink, worker, false);
        }

        private WorkerRun(UUID id, long window, long maxStepBytes, RunSink sink, Worker worker, boolean stateRequest) {
            this.id = id;
            this.stateRequest = stateRequest;
            this.window = window;
            this.maxStepBytes = maxStepBytes;
            this.granted = window;
            this.sink = sink;
            this.worker = worker;
        }

        /** Creates a request for a thread's state, which has no events and no steps. */
        static WorkerRun stateRequest(UUID id, RunSink sink, Worker worker) {
            return new WorkerRun(id, 0, 0, sink, worker, true);
        }

        UUID id() {
            return id;
        }

        /** Forwards the event; returns false if the run had no credit left. */
        synchronized boolean event(Message.Event event) {
            boolean accepted = ended || takeCredit(event.cost());
            if (accepted && !ended) {
                byte[] checkpoint = event.checkpoint();
                if (checkpoint == null) {
                    sink.event(event.mode(), event.namespace(), event.data(), event.cost());
                } else {
                    sink.values(event.namespace(), event.data(), checkpoint, event.cost());
                }
            }
            return accepted;
        }

        /** Forwards that an event was omitted; returns false if the run had no credit left. */
        synchronized boolean omitted(Message.OmittedEvent event) {
            boolean accepted = ended || takeCredit(event.cost());
            if (accepted && !ended) {
                sink.omitted(event.mode(), event.namespace(), event.cost());
            }
            return accepted;
        }

        private boolean takeCredit(int cost) {
            boolean hasCredit = received < granted;
            received += hasCredit ? cost : 0;
            return hasCredit;
        }

        /** Counts bytes that the worker sent after the end; returns their sum. */
        synchronized long countLate(int bytes) {
            late += bytes;
            return late;
        }

        /** Notifies the sink that no further events are available. */
        synchronized void flush() {
            if (!ended) {
                sink.flush();
            }
        }

        /** Forwards the step; returns false if the steps exceed their maximum size. */
        synchronized boolean step(Step step) {
            if (!ended) {
                steps += step.cost();
                sink.step(step);
            }
            return steps <= maxStepBytes;
        }

        /** Ends the run; returns false if it has already ended. */
        synchronized boolean end(Outcome outcome) {
            if (ended) {
                return false;
            }
            ended = true;
            violation = isViolation(outcome) ? outcome : null;
            sink.ended(outcome);
            return true;
        }

        /** Returns the executor of the run's requests; created lazily, because most runs have none. */
        synchronized RunRequests requests(WorkerRequests source) {
            RunRequests opened = requests;
            if (opened == null) {
                opened = source.open(id, worker);
                requests = opened;
            }
            return opened;
        }

        /** Returns the executor of the run's requests; null if it sent none. */
        synchronized @Nullable RunRequests openRequests() {
            return requests;
        }

        /** Returns whether this is a request for a thread's state, whose outcome is the whole result. */
        boolean isStateRequest() {
            return stateRequest;
        }

        private static boolean isViolation(Outcome outcome) {
            return outcome instanceof Outcome.Failed failed && failed.error().equals(RunMessages.PROTOCOL_VIOLATION);
        }

        /**
         * Ends the run, of which the worker executes nothing any more. Its response after a violation is not used: the state
         * may name checkpoints that were not stored.
         */
        void release(Outcome outcome) {
            end(outcome);
            Outcome result;
            RunRequests opened;
            synchronized (this) {
                if (released) {
                    return;
                }
                released = true;
                result = violation == null ? outcome : violation;
                opened = requests;
            }
            if (opened != null) {
                opened.close();
            }
            sink.released(result);
        }

        synchronized boolean isEnded() {
            return ended;
        }

        @Override
        public void releaseCredit(int cost) {
            long bytes = 0;
            synchronized (this) {
                pendingCredit += cost;
                // Credit is sent in batches of half the window instead of for every event.
                if (!ended && pendingCredit * 2 >= window) {
                    bytes = pendingCredit;
                    granted += bytes;
                    pendingCredit = 0;
                }
            }
            if (bytes > 0) {
                worker.send(MessageWriter.credit(id, bytes));
            }
        }

        @Override
        public void cancel() {
            worker.cancel(this, new Outcome.Cancelled());
        }
    }
}
