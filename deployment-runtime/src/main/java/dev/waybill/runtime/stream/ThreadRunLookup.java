package dev.waybill.runtime.stream;

import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.RestResponse;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.stream.EventPosition.RunProblem;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/** Finds the runs of requests that name a thread: those of the thread, and the run without one whose id is the thread's. */
@Singleton
class ThreadRunLookup {

    private final RunLifecycleService withoutThread;
    private final ThreadRunService runs;
    private final RunResponses responses;
    private final SecurityIdentity caller;

    ThreadRunLookup(RunLifecycleService withoutThread, ThreadRunService runs, RunResponses responses,
            SecurityIdentity caller) {
        this.withoutThread = withoutThread;
        this.runs = runs;
        this.responses = responses;
        this.caller = caller;
    }

    /** Returns the thread of the caller. */
    CallerThread threadOf(UUID id) {
        return threadOf(id, caller.getPrincipal().getName());
    }

    static CallerThread threadOf(UUID id, String principal) {
        return new CallerThread(ThreadOwner.of(principal), principal, id);
    }

    /** Returns the caller's run without a thread; empty if the ids are those of a thread and its run. */
    Optional<Run> withoutThread(UUID thread, UUID run) {
        return thread.equals(run) ? Optional.of(withoutThread.require(run, caller.getPrincipal().getName())) : Optional.empty();
    }

    /** Returns the run; fails with 410 if its events are not retained any more. */
    Uni<Run> require(UUID thread, UUID run) {
        return Uni.createFrom().deferred(() -> withoutThread(thread, run)
                .map(found -> Uni.createFrom().item(found))
                .orElseGet(
                        () -> runs.findLocal(threadOf(thread), run).map(local -> local.orElseThrow(() -> new ProblemException(
                                RunProblem.EVENTS_GONE, "The events of the run " + run + " are no longer retained.")))));
    }

    /** Cancels the run; responds when it has ended if the caller waits. */
    Uni<RestResponse<Void>> cancel(UUID thread, UUID run, CancelAction action, boolean wait) {
        return Uni.createFrom().deferred(() -> {
            Optional<Run> found = withoutThread(thread, run);
            found.ifPresent(withoutThread::cancel);
            Uni<Void> cancelled = found.isPresent() ? Uni.createFrom().voidItem()
                    : runs.cancel(threadOf(thread), run, action, wait);
            return cancelled.map(ignored -> wait ? RestResponse.noContent() : RestResponse.accepted());
        });
    }

    /** Responds with the values of the thread at the end of the run. */
    Uni<Void> joinValues(UUID thread, UUID run, RoutingContext request, boolean cancelOnDisconnect) {
        return Uni.createFrom().deferred(() -> {
            Optional<Run> found = withoutThread(thread, run);
            return found.isPresent() ? responses.joinValues(found.get(), request, cancelOnDisconnect)
                    : joinThread(threadOf(thread), run, request, cancelOnDisconnect);
        });
    }

    private Uni<Void> joinThread(CallerThread thread, UUID run, RoutingContext request, boolean cancelOnDisconnect) {
        return runs.findLocal(thread, run).chain(local -> local
                .map(active -> responses.joinResult(active, request, cancelOnDisconnect,
                        (end, send) -> runs.result(thread, run).subscribeAsCompletionStage()
                                .whenComplete((result, failure) -> send.accept(failure == null ? result
                                        : ResultStream.Result.body(end)))))
                .orElseGet(() -> runs.awaitResult(thread, run).chain(result -> respond(request, Json.bytes(result)))));
    }

    private static Uni<Void> respond(RoutingContext request, byte[] json) {
        return Uni.createFrom().completionStage(() -> request.response().putHeader("Content-Type", "application/json")
                .end(Buffer.buffer(json)).toCompletionStage());
    }
}
