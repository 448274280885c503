package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.jsonstate.JsonStateMemory.Reservation;
import dev.waybill.runtime.jsonstate.JsonStateMemory.UnavailableException;
import dev.waybill.runtime.jsonstate.JsonStates;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.worker.Workers;
import io.smallrye.mutiny.Uni;

/** Reads the states from which runs of graphs without checkpoints start. */
@Singleton
class JsonStateReader {

    private static final Duration MIN_WAIT = Duration.ofMillis(50);
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private final JsonStates states;
    private final Workers workers;
    private final Map<Run, Reservation> reserved = new ConcurrentHashMap<>();

    JsonStateReader(JsonStates states, Workers workers) {
        this.states = states;
        this.workers = workers;
    }

    /**
     * Returns the state of a run's thread; empty if the worker stores checkpoints. The stage completes with null if that is
     * only known later, and fails if the worker, which the runtime is starting, does not become ready.
     */
    Optional<CompletionStage<@Nullable JsonRun>> read(Run run, Attempt attempt) {
        String graph = run.assistant().graphId();
        Optional<Capabilities> known = workers.capabilities(graph);
        if (known.isPresent() && known.get().memory() != Memory.JSON) {
            return Optional.empty();
        }
        Uni<Boolean> usesState = known.isPresent() ? Uni.createFrom().item(true)
                : Uni.createFrom().completionStage(() -> workers.started(graph))
                        .map(started -> started.memory() == Memory.JSON);
        return Optional.of(usesState
                .chain(uses -> uses ? state(run, attempt) : Uni.createFrom().<@Nullable JsonRun> nullItem())
                .subscribeAsCompletionStage());
    }

    private Uni<@Nullable JsonRun> state(Run run, Attempt attempt) {
        UUID fork = ThreadMembers.fork(attempt.body()).map(ThreadMembers.Fork::id).orElse(null);
        // An earlier attempt, whose worker died, does not need its memory any more.
        release(run);
        return Uni.createFrom()
                .deferred(() -> states.readForRun(attempt.fence().thread(), fork, memory -> reserve(run, memory)))
                // The run waits, until its timeout, for the end of others.
                .onFailure(failure -> failure instanceof UnavailableException && !run.status().isFinal())
                .retry().withBackOff(MIN_WAIT, MAX_WAIT).indefinitely()
                .map(found -> new JsonRun(states, found.orElseThrow(), run, bytes -> grow(run, bytes)));
    }

    private void reserve(Run run, Reservation memory) {
        reserved.put(run, memory);
        run.onEnd(ignored -> release(run));
    }

    private void grow(Run run, long stateBytes) {
        Reservation memory = reserved.get(run);
        if (memory != null) {
            memory.grow(stateBytes);
        }
    }

    private void release(Run run) {
        Reservation memory = reserved.remove(run);
        if (memory != null) {
            memory.release();
        }
    }
}
