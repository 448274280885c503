package dev.waybill.runtime.worker;

import java.util.UUID;

import org.jboss.logging.Logger;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.WorkerRuns.WorkerRun;

/** Delivers the messages of a worker to its runs. Called by the worker's reading thread only. */
final class RunMessages {

    /** Maximum size of messages for ended runs; beyond it, the worker is killed. */
    static final long MAX_UNSOLICITED_BYTES = 16L << 20;
    private static final Logger LOG = Logger.getLogger(RunMessages.class);

    private final String graph;
    private final WorkerRuns runs;
    private final Worker worker;
    private long unsolicitedBytes;

    RunMessages(String graph, WorkerRuns runs, Worker worker) {
        this.graph = graph;
        this.runs = runs;
        this.worker = worker;
    }

    /** Forwards an event; fails a run that has no credit left. */
    void event(Message.Event event) {
        WorkerRun run = runs.findActive(event.run());
        if (run == null) {
            countUnsolicited(event.cost());
        } else if (run.event(event)) {
            runs.markForFlush(run);
        } else {
            worker.cancel(run, new Outcome.Failed("ProtocolViolation",
                    "The worker of graph \"" + graph + "\" sent more events than the run had credit for."));
            countUnsolicited(event.cost());
        }
    }

    /** Forwards a step; fails a run whose steps far exceed their limit. */
    void step(Message.StepReport report) {
        WorkerRun run = runs.findActive(report.run());
        if (run == null) {
            countUnsolicited(report.step().cost());
        } else if (!run.step(report.step())) {
            worker.cancel(run, new Outcome.Failed("ProtocolViolation",
                    "The worker of graph \"" + graph + "\" sent more steps than the run may have."));
        }
    }

    /** Fails the affected run; if that is unknown, kills the worker, because any run may have lost an event. */
    void invalid(Message.Invalid invalid) {
        LOG.warnf("the worker of a graph sent an invalid message: graph=%s reason=%s", graph, invalid.reason());
        Outcome violation = new Outcome.Failed("ProtocolViolation",
                "The worker of graph \"" + graph + "\" sent " + invalid.reason() + ".");
        Long request = invalid.id();
        UUID id = invalid.run();
        if (id != null) {
            WorkerRun run = runs.find(id);
            if (run != null) {
                worker.cancel(run, violation);
            }
        } else if (request != null && runs.isOpen(request)) {
            worker.finished(request, violation);
        } else {
            worker.kill("sent " + invalid.reason());
        }
    }

    /** Counts bytes that belong to no active run; kills a worker that sends too many. */
    void countUnsolicited(int bytes) {
        unsolicitedBytes += bytes;
        if (unsolicitedBytes > MAX_UNSOLICITED_BYTES) {
            worker.kill("continued to send events for ended runs");
        }
    }
}
