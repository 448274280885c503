package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.run.ThreadMembers.Fork;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.worker.Workers;
import io.smallrye.mutiny.Uni;

/** Waits for the workers of assistants, and checks that they can execute runs on threads. */
@Singleton
class AssistantWorkers {

    private static final Duration MIN_WAIT = Duration.ofMillis(50);
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);
    /** Time that new runs wait for a worker that is being started. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final Workers workers;
    private final RuntimeStorage storage;

    AssistantWorkers(Workers workers, RuntimeStorage storage) {
        this.workers = workers;
        this.storage = storage;
    }

    /** Returns the capabilities of an assistant's worker, when it is ready; fails with 503 if it does not start. */
    Uni<Capabilities> capabilities(Assistant assistant) {
        Uni<Capabilities> worker = Uni.createFrom().item(() -> workers.capabilities(assistant.graphId())
                .orElseThrow(AssistantWorkers::notReady));
        return workers.capabilities(assistant.graphId()).isPresent() ? worker
                : afterStart(worker, START_TIMEOUT);
    }

    /** Fails with 422 if the worker cannot execute the run on a thread, and with 503 if it does not start. */
    Uni<Void> requireMemory(ResolvedRun run) {
        return capabilities(run.assistant())
                .invoke(known -> {
                    if (storage.find().isPresent() && known.memory() == Capabilities.Memory.STATE) {
                        throw ProblemException.invalid(Violation.of("assistant_id",
                                "must be an assistant whose worker remembers: a graph with checkpoints, or a worker that "
                                        + "reports the memory json; start the run without a thread",
                                "invalid"));
                    }
                    List<Violation> violations = known.memory() == Capabilities.Memory.JSON
                            ? ThreadMembers.unsupportedWithoutCheckpoints(run.body())
                            : List.of();
                    if (!violations.isEmpty()) {
                        throw ProblemException.invalid(violations);
                    }
                })
                .replaceWithVoid();
    }

    /** Returns the stored checkpoint from which a run forks; empty for the newest one, and for graphs that store their own. */
    Optional<Fork> storedFork(ResolvedRun run) {
        boolean storesOwn = workers.capabilities(run.assistant().graphId())
                .filter(known -> known.memory() == Capabilities.Memory.OWN).isPresent();
        return storesOwn ? Optional.empty() : ThreadMembers.fork(run.body());
    }

    /** Repeats a request for a worker until it is ready; fails with 503 after the timeout. */
    static <T> Uni<T> afterStart(Uni<T> worker, Duration timeout) {
        return worker.onFailure().retry().withBackOff(MIN_WAIT, MAX_WAIT).expireIn(timeout.toMillis())
                // Mutiny wraps the last failure.
                .onFailure(IllegalStateException.class).transform(ignored -> notReady());
    }

    private static ProblemException notReady() {
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The assistant's worker is not ready; the log of the runtime says why if it does not start. Retry in a moment.")
                .retryAfter(MAX_WAIT);
    }
}
