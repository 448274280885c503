package dev.waybill.runtime.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/**
 * Runs on threads that another replica executes, for clients that are connected to this one (docs/decisions/0183). Continues
 * after failures of the storage; fails with 404 if the run is deleted.
 */
@Singleton
public class FollowedRuns {

    private static final Duration MIN_UNAVAILABLE_WAIT = Duration.ofSeconds(1);
    private static final Duration MAX_UNAVAILABLE_WAIT = Duration.ofSeconds(5);
    /** Time for a cancellation; a lost replica is replaced sooner. */
    private static final Duration MAX_CANCELLATION = Duration.ofSeconds(60);

    private final RuntimeStorage storage;
    private final StoredThreadRuns runs;
    private final RunEndPoller ends;

    FollowedRuns(RuntimeStorage storage, StoredThreadRuns runs, RunEndPoller ends) {
        this.storage = storage;
        this.runs = runs;
        this.ends = ends;
    }

    /** Asks the replica that executes a run to store its events for a time. */
    public Uni<Void> follow(CallerThread thread, UUID run, Duration time) {
        return whenAvailable(() -> storage.execute(opened -> opened.runs().follow(thread.owner(), thread.id(), run, time)));
    }

    /** Returns the stored events of a run after a number. */
    public Uni<EventChunks> events(CallerThread thread, UUID run, long after) {
        return whenAvailable(() -> storage.execute(opened -> opened.runs().readEvents(thread.owner(), run, after)))
                .map(found -> found.orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "The run " + run + " was deleted.")));
    }

    /**
     * The end of a run, with the values of its thread.
     *
     * @param isLatest whether the state of the thread has not been changed since the end
     */
    public record StoredEnd(Run.End end, boolean isLatest) {
    }

    /** Returns the end of a run, with the values of its thread, when another replica or the recovery has stored it. */
    public Uni<StoredEnd> awaitEnd(CallerThread thread, UUID run) {
        return ended(thread, run)
                .chain(ended -> {
                    RunStatus status = RunStatus.valueOf(ended.status().name());
                    return Optional.ofNullable(RunError.parse(ended.error()))
                            .map(error -> Uni.createFrom().item(new StoredEnd(new Run.End(status, error, null), false)))
                            .orElseGet(() -> whenAvailable(() -> runs.findThread(thread))
                                    .map(found -> new StoredEnd(new Run.End(status, null, StoredThreadRuns.valuesOf(found)),
                                            isLatest(ended, found.stateUpdatedAt()))));
                });
    }

    private static boolean isLatest(StoredRun ended, @Nullable Instant changed) {
        return changed == null || !changed.isAfter(ended.updatedAt());
    }

    private Uni<StoredRun> ended(CallerThread thread, UUID run) {
        return whenAvailable(() -> runs.find(thread, run))
                .chain(found -> found.status().isFinal() ? Uni.createFrom().item(found)
                        : ends.await(run).chain(() -> ended(thread, run)));
    }

    /** Completes when a cancelled run has ended or was deleted; fails with 503 if that takes too long. */
    public Uni<Void> awaitCancellation(CallerThread thread, UUID run) {
        return awaitCancellation(thread, run, MAX_CANCELLATION);
    }

    Uni<Void> awaitCancellation(CallerThread thread, UUID run, Duration limit) {
        return ended(thread, run).replaceWithVoid()
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.NOT_FOUND)
                .recoverWithNull()
                .ifNoItem().after(limit).failWith(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The run " + run + " was cancelled, but has not ended yet; retry to wait for its end.")
                        .retryAfter(MAX_UNAVAILABLE_WAIT));
    }

    private static <T> Uni<T> whenAvailable(Supplier<Uni<T>> operation) {
        return Uni.createFrom().<T> deferred(operation::get)
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.UNAVAILABLE)
                .retry().withBackOff(MIN_UNAVAILABLE_WAIT, MAX_UNAVAILABLE_WAIT).indefinitely();
    }
}
