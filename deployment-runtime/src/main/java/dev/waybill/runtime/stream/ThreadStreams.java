package dev.waybill.runtime.stream;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.run.ThreadWatches;
import dev.waybill.runtime.stream.EventPosition.RunProblem;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Opens streams of threads. */
@Singleton
class ThreadStreams {

    /** Each open stream reads the storage periodically. */
    static final int MAX_OPEN = 256;
    private static final Duration RETRY_AT_LIMIT = Duration.ofSeconds(1);

    private final Semaphore permits = new Semaphore(MAX_OPEN);
    private final ThreadRunLookup lookup;
    private final ThreadRunService runs;
    private final FollowedRuns followed;
    private final ThreadWatches watches;
    private final RunResponses responses;

    ThreadStreams(ThreadRunLookup lookup, ThreadRunService runs, FollowedRuns followed, ThreadWatches watches,
            RunResponses responses) {
        this.lookup = lookup;
        this.runs = runs;
        this.followed = followed;
        this.watches = watches;
        this.responses = responses;
    }

    /**
     * Streams a thread. Fails with 404 for a missing thread, 422 for an unknown mode or the id of another thread's event, 410
     * if the events after it are not retained, and 429 at the limit of open streams.
     */
    Uni<Void> open(UUID threadId, RoutingContext request, @Nullable List<String> modes, @Nullable String lastEventId) {
        return Uni.createFrom().deferred(() -> {
            Set<ThreadStreamMode> selected = ThreadStreamMode.parse(modes);
            ThreadPosition position = ThreadPosition.parse(lastEventId);
            CallerThread thread = lookup.threadOf(threadId);
            return runs.list(thread, null, 1, 0)
                    .chain(() -> requireRetained(thread, position))
                    .chain(() -> responses.joinStored(request,
                            (client, onClose) -> {
                                requirePermit();
                                return new ThreadStream(thread, position, selected,
                                        new ThreadStream.Dependencies(runs, followed, watches), client, closed -> {
                                            permits.release();
                                            onClose.accept(closed);
                                        });
                            },
                            () -> {
                                // The runs continue without the client.
                            }));
        });
    }

    private void requirePermit() {
        if (!permits.tryAcquire()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "This application has " + MAX_OPEN
                    + " open streams of threads, the maximum of a replica; retry in a moment.").retryAfter(RETRY_AT_LIMIT);
        }
    }

    /** Returns the permits of further streams. */
    Semaphore permits() {
        return permits;
    }

    private Uni<Void> requireRetained(CallerThread thread, ThreadPosition position) {
        UUID run = position.run();
        return run == null ? Uni.createFrom().voidItem()
                : runs.get(thread, run)
                        .onFailure(failure -> failure instanceof ProblemException problem
                                && problem.type() == CommonProblem.NOT_FOUND)
                        .transform(missing -> ProblemException.invalid(Violation.of("Last-Event-ID",
                                "must be the id of an event of a run of this thread", "invalid")))
                        .invoke(found -> requireRetained(found, position.number()))
                        .replaceWithVoid();
    }

    private void requireRetained(RunResponse run, long number) {
        if (watches.local(run).filter(local -> !local.log().isAvailable(number + 1)).isPresent()) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "The events after " + run.runId() + ":" + number
                    + " are no longer retained; only runs with stream_resumable retain events. Stream the thread from now on.");
        }
    }
}
