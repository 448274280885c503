package dev.waybill.runtime.stream;

import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.FollowedRuns.StoredEnd;
import dev.waybill.runtime.run.KeyedRunService.Created.Existing;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Finds the runs of requests that name a thread: those of the thread, and the run without one whose id is the thread's. */
@Singleton
class ThreadRunLookup {

    private static final Logger LOG = Logger.getLogger(ThreadRunLookup.class);

    private final RunLifecycleService withoutThread;
    private final StoredThreadRuns runs;
    private final FollowedRuns followed;
    private final RunResponses responses;
    private final SecurityIdentity caller;

    ThreadRunLookup(RunLifecycleService withoutThread, StoredThreadRuns runs, FollowedRuns followed, RunResponses responses,
            SecurityIdentity caller) {
        this.withoutThread = withoutThread;
        this.runs = runs;
        this.followed = followed;
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

    /** Streams the run, also if another replica executes it. */
    Uni<Void> join(UUID thread, UUID run, RoutingContext request, @Nullable String lastEventId, boolean cancelOnDisconnect) {
        return Uni.createFrom().deferred(() -> {
            Optional<Run> found = withoutThread(thread, run);
            CallerThread of = threadOf(thread);
            return (found.isPresent() ? Uni.createFrom().item(found) : runs.findLocal(of, run))
                    .chain(local -> local
                            .map(one -> responses.join(one, request, EventPosition.of(one, lastEventId), cancelOnDisconnect))
                            .orElseGet(() -> follow(of, run, request, EventPosition.number(run, lastEventId),
                                    cancelOnDisconnect)));
        });
    }

    private Uni<Void> follow(CallerThread thread, UUID run, RoutingContext request, long position,
            boolean cancelOnDisconnect) {
        return responses.joinStored(request,
                (client, onClose) -> new FollowedRunStream(followed, thread, run, position, client, onClose),
                () -> disconnected(thread, run, cancelOnDisconnect));
    }

    /** Cancels the run of a disconnected client; has no effect on an ended one. */
    private void disconnected(CallerThread thread, UUID run, boolean cancel) {
        if (cancel) {
            runs.cancel(thread, run, CancelAction.INTERRUPT, false).subscribeAsCompletionStage()
                    .whenComplete((ignored, failure) -> {
                        if (failure != null) {
                            LOG.warnf("could not cancel the run of a disconnected client: %s=%s error=%s", LogKeys.RUN_ID, run,
                                    failure.getMessage());
                        }
                    });
        }
    }

    /** Streams a run from its first event for a repeated request. */
    Uni<Void> repeatStream(Existing existing, RoutingContext request) {
        return join(existing.run().thread().thread(), existing.run().id(), request, EventPosition.BEFORE_ALL, false);
    }

    /** Responds with the values at the end of a run for a repeated request. */
    Uni<Void> repeatValues(Existing existing, RoutingContext request) {
        return joinValues(existing.run().thread().thread(), existing.run().id(), request, false);
    }

    /** Returns the first response for a repeated request. */
    static Uni<RestResponse<RunResponse>> repeatCreated(Existing existing) {
        return created(existing.response(), path(existing.run().thread().thread(), existing.run().id()));
    }

    static Uni<RestResponse<RunResponse>> created(RunResponse run, String path) {
        return Uni.createFrom().item(RestResponse.ResponseBuilder.ok(run).header("Content-Location", path).build());
    }

    /** Returns the path of a run on a thread. */
    static String path(CallerThread thread, UUID run) {
        return path(thread.id(), run);
    }

    private static String path(UUID thread, UUID run) {
        return "/threads/" + thread + "/runs/" + run;
    }

    /** Cancels the run; responds when it has ended if the caller waits. */
    Uni<RestResponse<Void>> cancel(UUID thread, UUID run, CancelAction action, boolean wait) {
        return Uni.createFrom().deferred(() -> {
            Optional<Run> found = withoutThread(thread, run);
            found.ifPresent(withoutThread::cancel);
            CallerThread of = threadOf(thread);
            Uni<Void> cancelled = found.isPresent() ? Uni.createFrom().voidItem()
                    : runs.cancel(of, run, action, wait)
                            // Another replica may execute it.
                            .chain(() -> wait ? followed.awaitCancellation(of, run) : Uni.createFrom().voidItem());
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
                .orElseGet(() -> responses.joinStored(request,
                        (client, onClose) -> new StoredResultStream(path(thread, run),
                                followed.awaitEnd(thread, run).map(StoredEnd::end), client,
                                onClose),
                        () -> disconnected(thread, run, cancelOnDisconnect))));
    }
}
