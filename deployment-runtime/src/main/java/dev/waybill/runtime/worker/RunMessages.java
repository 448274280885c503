package dev.waybill.runtime.worker;

import java.io.IOException;
import java.util.UUID;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageReader;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.ResponseWriter;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.WorkerRequests.RunRequests;
import dev.waybill.runtime.worker.WorkerRuns.WorkerRun;

/** Delivers the messages of a worker to its runs. Called by the worker's reading thread only. */
final class RunMessages {

    /** Maximum size of messages for ended runs; beyond it, the worker is killed. */
    static final long MAX_UNSOLICITED_BYTES = 16L << 20;
    /** Error of a run whose worker sent what the protocol forbids. */
    static final String PROTOCOL_VIOLATION = "ProtocolViolation";
    /** Error code of a run that was cancelled on request. */
    private static final int CANCELLED = -32800;
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
            countLate(event.run(), event.cost());
        } else if (run.event(event)) {
            runs.markForFlush(run);
        } else {
            endWithoutCredit(run);
            countLate(event.run(), event.cost());
        }
    }

    /** Forwards that an event was too large; such events of ended runs are not counted, as they were not buffered. */
    void omitted(Message.OmittedEvent event) {
        WorkerRun run = runs.findActive(event.run());
        if (run == null) {
            return;
        }
        LOG.debugf("an event of a run was omitted: %s=%s mode=%s bytes=%s", LogKeys.RUN_ID, run.id(), event.mode(),
                event.cost());
        if (run.omitted(event)) {
            runs.markForFlush(run);
        } else {
            endWithoutCredit(run);
        }
    }

    private void endWithoutCredit(WorkerRun run) {
        worker.cancel(run, new Outcome.Failed(PROTOCOL_VIOLATION,
                "The worker of graph \"" + graph + "\" sent more events than the run had credit for."));
    }

    /** Forwards a step; fails a run whose steps far exceed their limit. */
    void step(Message.StepReport report) {
        WorkerRun run = runs.findActive(report.run());
        if (run == null) {
            countLate(report.run(), report.step().cost());
        } else if (!run.step(report.step())) {
            worker.cancel(run, new Outcome.Failed(PROTOCOL_VIOLATION,
                    "The worker of graph \"" + graph + "\" sent more steps than the run may have."));
        }
    }

    /** Executes a request of a run; fails a run that violates the protocol by it. */
    void request(Message.Call request, @Nullable WorkerRequests requests) {
        UUID id = request.run();
        WorkerRun run = id == null ? null : runs.find(id);
        if (run == null || requests == null) {
            countUnsolicited(request.cost());
            if (!request.hasResponse()) {
                return;
            }
            worker.send(ResponseWriter.failure(request.id(), id == null
                    ? new RequestException(Code.INVALID_PARAMS, "`run` must be the id of a run.")
                    : new RequestException(Code.RUN_ENDED, "The run has ended.")));
            return;
        }
        String violation = run.requests(requests).execute(request);
        if (violation != null) {
            worker.cancel(run, new Outcome.Failed(PROTOCOL_VIOLATION,
                    "The worker of graph \"" + graph + "\" sent " + violation + "."));
            countUnsolicited(request.cost());
        }
    }

    /** Returns the end of a run whose worker responded with an error; without its state if its last checkpoints are refused. */
    Outcome failed(Message.Failure failure) {
        WorkerRun run = runs.findByRequest(failure.id());
        RunRequests sent = run == null ? null : run.openRequests();
        JsonNode state = sent == null || sent.refusal() == null ? failure.state() : null;
        return failure.code() == CANCELLED
                ? new Outcome.Cancelled(state)
                : new Outcome.Failed(failure.error() == null ? "RunFailed" : failure.error(), failure.message(), state);
    }

    /** Returns the end of a run of a worker of version 2, whose result may have been sent in parts. */
    Outcome completed(Message.Result message) {
        WorkerRun run = runs.findByRequest(message.id());
        RunRequests sent = run == null ? null : run.openRequests();
        RequestException refusal = sent == null ? null : sent.refusal();
        if (refusal != null) {
            String error = refusal.code().error();
            return new Outcome.Failed(error == null ? PROTOCOL_VIOLATION : error, String.valueOf(refusal.getMessage()));
        }
        JsonNode parts = message.result().path("parts");
        if (run == null || !parts.isInt()) {
            return completed(message.result(), run);
        }
        byte[] json = sent == null ? null : sent.takeResult(message.id(), parts.intValue());
        try {
            if (json != null) {
                return completed(MessageReader.parseResult(json), run);
            }
        } catch (IOException e) {
            LOG.debugf("a result in parts is not JSON: %s", e.getMessage());
        }
        return new Outcome.Failed(PROTOCOL_VIOLATION,
                "The worker of graph \"" + graph + "\" sent a result whose parts are incomplete or not JSON.");
    }

    private static Outcome completed(JsonNode result, @Nullable WorkerRun run) {
        return run != null && run.isStateRequest()
                ? new Outcome.Completed(result)
                : new Outcome.Completed(FinalValues.of(result), result.get("state"), result.get("interrupt"));
    }

    /** Fails the affected run; if that is unknown, kills the worker, because any run may have lost an event. */
    void invalid(Message.Invalid invalid) {
        LOG.warnf("the worker of a graph sent an invalid message: graph=%s reason=%s", graph, invalid.reason());
        Outcome violation = new Outcome.Failed(PROTOCOL_VIOLATION,
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

    /** Counts bytes of a run that has ended for its client: its worker may have sent them before it was cancelled. */
    private void countLate(UUID id, int bytes) {
        WorkerRun run = runs.find(id);
        if (run == null) {
            countUnsolicited(bytes);
        } else {
            killAbove(run.countLate(bytes));
        }
    }

    /** Counts bytes that belong to no run; kills a worker that sends too many. */
    void countUnsolicited(int bytes) {
        unsolicitedBytes += bytes;
        killAbove(unsolicitedBytes);
    }

    private void killAbove(long unsolicited) {
        if (unsolicited > MAX_UNSOLICITED_BYTES) {
            worker.kill("continued to send events for ended runs");
        }
    }
}
