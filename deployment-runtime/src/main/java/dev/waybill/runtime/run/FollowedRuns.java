package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/**
 * Runs on threads that another replica executes, for clients that are connected to this one (docs/decisions/0183). Continues
 * after failures of the storage; fails with 404 if the run is deleted.
 */
@Singleton
public class FollowedRuns {

    private static final Duration MAX_WAIT = Duration.ofSeconds(1);
    private static final Duration MAX_UNAVAILABLE_WAIT = Duration.ofSeconds(5);

    private final RuntimeStorage storage;
    private final ThreadRunService runs;

    FollowedRuns(RuntimeStorage storage, ThreadRunService runs) {
        this.storage = storage;
        this.runs = runs;
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

    /** Returns the end of a run, with the values of its thread, when another replica or the recovery has stored it. */
    public Uni<Run.End> awaitEnd(CallerThread thread, UUID run) {
        return whenAvailable(() -> runs.find(thread, run))
                .repeat().withDelay(MAX_WAIT).whilst(found -> !found.status().isFinal())
                .select().last().toUni()
                .chain(ended -> {
                    RunStatus status = RunStatus.valueOf(ended.status().name());
                    return Optional.ofNullable(RunError.parse(ended.error()))
                            .map(error -> Uni.createFrom().item(new Run.End(status, error, null)))
                            .orElseGet(() -> whenAvailable(() -> runs.values(thread))
                                    .map(values -> new Run.End(status, null, values)));
                });
    }

    /** Completes when a run has ended or was deleted. */
    public Uni<Void> awaitEndOrDeletion(CallerThread thread, UUID run) {
        return awaitEnd(thread, run).replaceWithVoid()
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.NOT_FOUND)
                .recoverWithNull();
    }

    private static <T> Uni<T> whenAvailable(Supplier<Uni<T>> operation) {
        return Uni.createFrom().<T> deferred(operation::get)
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.UNAVAILABLE)
                .retry().withBackOff(MAX_WAIT, MAX_UNAVAILABLE_WAIT).indefinitely();
    }
}
