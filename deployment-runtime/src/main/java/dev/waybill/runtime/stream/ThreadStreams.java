package dev.waybill.runtime.stream;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.channel.ChannelFilter;
import dev.waybill.runtime.channel.RunSequence;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
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
    private final StoredThreadRuns runs;
    private final FollowedRuns followed;
    private final ThreadWatches watches;
    private final RunResponses responses;
    private final Clock clock;

    ThreadStreams(ThreadRunLookup lookup, StoredThreadRuns runs, FollowedRuns followed, ThreadWatches watches,
            RunResponses responses, Clock clock) {
        this.lookup = lookup;
        this.runs = runs;
        this.followed = followed;
        this.watches = watches;
        this.responses = responses;
        this.clock = clock;
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
            return runs.list(thread, null, ThreadStream.LISTED, 0)
                    .chain(newest -> requireRetained(thread, position, newest))
                    .chain(() -> open(thread, request, position, new ThreadView.Events(selected)));
        });
    }

    /**
     * Streams the channels of a thread, from its newest run on, or from all retained ones that have ended after the filter's
     * position. Fails with 404 for a missing thread, and 429 at the limit of open streams.
     */
    Uni<Void> open(UUID threadId, RoutingContext request, ChannelFilter filter) {
        return Uni.createFrom().deferred(() -> {
            CallerThread thread = lookup.threadOf(threadId);
            Instant endedSince = filter.since() < 0 ? Instant.MAX : RunSequence.timeOf(filter.since());
            return runs.list(thread, null, 1, 0)
                    .chain(() -> open(thread, request, ThreadPosition.endedSince(endedSince), new ChannelView(filter)));
        });
    }

    private Uni<Void> open(CallerThread thread, RoutingContext request, ThreadPosition position, ThreadView view) {
        return responses.joinStored(request,
                (client, onClose) -> {
                    requirePermit();
                    return new ThreadStream(thread, position, view, new ThreadStream.Dependencies(runs, followed, watches),
                            client, closed -> {
                                permits.release();
                                onClose.accept(closed);
                            });
                },
                () -> {
                    // The runs continue without the client.
                });
    }

    /** The channels of the agent streaming protocol. */
    private final class ChannelView implements ThreadView {

        private final ChannelFilter filter;

        ChannelView(ChannelFilter filter) {
            this.filter = filter;
        }

        @Override
        public String path(UUID thread) {
            return "/threads/" + thread + "/stream/events";
        }

        @Override
        public @Nullable String location(UUID thread) {
            return null;
        }

        @Override
        public boolean includesStates() {
            return false;
        }

        @Override
        public ThreadEventSink sink(StreamConnection client, Runnable drained) {
            return new ChannelEventWriter(client, filter, drained, clock);
        }
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

    private Uni<Void> requireRetained(CallerThread thread, ThreadPosition position, List<RunResponse> newestFirst) {
        UUID run = position.run();
        if (run == null) {
            return Uni.createFrom().voidItem();
        }
        return runs.get(thread, run)
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.NOT_FOUND)
                .transform(missing -> ProblemException.invalid(Violation.of("Last-Event-ID",
                        "must be the id of an event of a run of this thread", "invalid")))
                .invoke(found -> requireRetained(found, position.number(), newestFirst))
                .replaceWithVoid();
    }

    /** Rejects a position if this replica has discarded events after it, also those of later runs. */
    private void requireRetained(RunResponse run, long number, List<RunResponse> newestFirst) {
        List<RunResponse> later = newestFirst.stream().takeWhile(newer -> !newer.runId().equals(run.runId())).toList();
        boolean gone = later.size() == newestFirst.size() || isDiscarded(run, number + 1)
                || later.stream().anyMatch(next -> next.status() != RunStatus.PENDING && isDiscarded(next, 0));
        if (gone) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "Events after " + run.runId() + ":" + number
                    + " are no longer retained: of a run without stream_resumable, or of too many runs. Read the state of the"
                    + " thread, and stream it without Last-Event-ID from now on.");
        }
    }

    private boolean isDiscarded(RunResponse run, long number) {
        return watches.local(run).filter(local -> !local.log().isAvailable(number)).isPresent();
    }
}
