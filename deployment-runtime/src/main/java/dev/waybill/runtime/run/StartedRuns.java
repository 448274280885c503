package dev.waybill.runtime.run;

import java.util.Optional;
import java.util.UUID;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

/**
 * Executes runs that the storage has started for this replica: those that waited here, and those of lost replicas, which are
 * executed again or end.
 */
final class StartedRuns {

    private static final Logger LOG = Logger.getLogger(StartedRuns.class);

    private final ThreadRuns runs;
    private final RunLifecycleService lifecycle;
    private final AssistantCatalog assistants;
    private final ObjectMapper mapper;

    StartedRuns(ThreadRuns runs, RunLifecycleService lifecycle, AssistantCatalog assistants, ObjectMapper mapper) {
        this.runs = runs;
        this.lifecycle = lifecycle;
        this.assistants = assistants;
        this.mapper = mapper;
    }

    /** Executes a run, or ends it as failed: the next run of its thread must start then. */
    void execute(StartedRun started) {
        try {
            begin(started);
        } catch (ProblemException e) {
            // The application has no such graph any more, or too many active runs.
            end(started, failed(new RunError("RunRejected", String.valueOf(e.getMessage()))));
        } catch (RuntimeException e) {
            LOG.errorf(e, "could not execute a stored run: %s=%s", LogKeys.RUN_ID, started.fence().run());
            runs.find(started.fence().run()).ifPresent(local -> {
                runs.forget(local);
                local.lose(e);
            });
            end(started, failed(new RunError("RunRejected",
                    "The stored request of the run cannot be executed; start the run again.")));
        }
    }

    private void begin(StartedRun started) {
        Optional<ThreadExecution> local = runs.find(started.fence().run());
        if (local.isPresent()) {
            local.get().begin(Attempt.of(started, StoredRequest.parse(started.run().request(), mapper).body()));
            return;
        }
        RunEnd end = endOf(started.run(), started.fence());
        if (end == null) {
            resume(started);
        } else {
            LOG.warnf("ended a run whose runtime was lost: %s=%s attempt=%s", LogKeys.RUN_ID, started.fence().run(),
                    started.fence().attempt());
            end(started, end);
        }
    }

    private void end(StartedRun started, RunEnd end) {
        runs.end(started.fence(), end).whenComplete((next, failure) -> {
            if (failure == null) {
                next.ifPresent(this::execute);
            } else {
                LOG.warnf("could not end a lost run: %s", failure.getMessage());
            }
        });
    }

    /** Returns the end of a lost run that is not executed again; null for others. */
    private @Nullable RunEnd endOf(StoredRun run, RunFence fence) {
        if (run.kind() == Kind.UPDATE || run.cancel() == CancelAction.ROLLBACK) {
            return RunEnd.rolledBack();
        }
        if (run.cancel() == CancelAction.INTERRUPT) {
            return new RunEnd(Status.INTERRUPTED, null, ThreadStatus.IDLE, null, false);
        }
        boolean repeats = StoredRequest.parse(run.request(), mapper).detached()
                && fence.attempt() <= ThreadExecution.MAX_ATTEMPTS;
        return repeats ? null : failed(RunError.RUNTIME_LOST);
    }

    private static RunEnd failed(RunError error) {
        return new RunEnd(Status.ERROR, error.toJson().toString(), ThreadStatus.ERROR, null, false);
    }

    private void resume(StartedRun started) {
        StoredRequest request = StoredRequest.parse(started.run().request(), mapper);
        UUID id = started.run().assistant();
        String graph = request.graph() == null ? id.toString() : request.graph();
        Assistant assistant = new Assistant(id, assistants.require(graph).settings().graph());
        Run run = lifecycle.registerStored(new Run.Origin(started.run().id(), assistant, request.principal(),
                started.run().thread().thread()), request.body(), started.fence().attempt());
        run.retainValues();
        ThreadExecution execution = new ThreadExecution(run, started.run().thread().owner(), true, runs);
        run.executeBy(execution);
        runs.add(execution);
        lifecycle.notifyWatches(run);
        if (started.fence().attempt() == 1) {
            run.announce();
        }
        execution.begin(Attempt.of(started, request.body()));
        execution.start();
    }
}
