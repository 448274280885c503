package dev.waybill.runtime.run;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.ThreadMembers.Fork;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Deletion;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.RunFilter;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Uni;

/** Stored threads and their runs for their owners: lookup, cancellation and deletion. */
@Singleton
public class StoredThreadRuns {

    private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(50);
    /** Attempts to find a checkpoint that the active run of a thread stores, for two seconds. */
    private static final int CHECKPOINT_ATTEMPTS = 40;

    private final RuntimeStorage storage;
    private final ThreadRuns runs;
    private final RunRegistry registry;

    /** A thread of a caller. */
    public record CallerThread(Owner owner, String principal, UUID id) {
    }

    StoredThreadRuns(RuntimeStorage storage, ThreadRuns runs, RunRegistry registry) {
        this.storage = storage;
        this.runs = runs;
        this.registry = registry;
    }

    /** Returns a run of the thread. */
    public Uni<RunResponse> get(CallerThread thread, UUID run) {
        return find(thread, run).map(RunResponse::of);
    }

    /** Returns runs of the thread, newest first. */
    public Uni<List<RunResponse>> list(CallerThread thread, @Nullable RunStatus status, int limit, int offset) {
        RunFilter filter = new RunFilter(status == null ? null : RunStorage.Status.valueOf(status.name()), limit, offset);
        return storage.execute(opened -> opened.runs().list(thread.owner(), thread.id(), filter))
                .call(found -> found.isEmpty() ? findThread(thread) : Uni.createFrom().voidItem())
                .map(found -> found.stream().map(RunResponse::of).toList());
    }

    /** Returns a run of the thread that this replica executes or retains; empty if the run is only stored. */
    public Uni<Optional<Run>> findLocal(CallerThread thread, UUID run) {
        return find(thread, run).chain(stored -> {
            Optional<Run> local = registry.find(run);
            boolean differs = local.isPresent() && local.get().status().isFinal() && !stored.status().isFinal();
            // It has ended meanwhile, or another replica executes it: after its loss here, or again after its deletion.
            return differs ? find(thread, run).map(again -> local.filter(ignored -> again.status().isFinal()))
                    : Uni.createFrom().item(local);
        });
    }

    /** Returns the values of the thread after an ended run, or its error as clients expect it. */
    public Uni<JsonNode> result(CallerThread thread, UUID run) {
        return find(thread, run).chain(ended -> {
            RunError error = RunError.parse(ended.error());
            return error == null ? values(thread) : Uni.createFrom().item(error.toResult());
        });
    }

    /** Returns the values of a thread, as those of a run. */
    Uni<JsonNode> values(CallerThread thread) {
        return findThread(thread).map(StoredThreadRuns::valuesOf);
    }

    static JsonNode valuesOf(StoredThread thread) {
        JsonNode values = Json.parse(thread.state().getBytes(StandardCharsets.UTF_8));
        return values instanceof ObjectNode object ? withInterrupts(object, thread) : values;
    }

    /** Adds the interrupts of the thread, as the values of a run have them. */
    private static ObjectNode withInterrupts(ObjectNode values, StoredThread thread) {
        JsonNode byTask = Json.parse(thread.interrupts().getBytes(StandardCharsets.UTF_8));
        if (!byTask.isEmpty()) {
            ArrayNode interrupts = values.putArray("__interrupt__");
            byTask.forEach(task -> task.forEach(interrupts::add));
        }
        return values;
    }

    /**
     * Cancels a run; has no effect on an ended one.
     *
     * @param wait whether the result completes when the run has ended
     */
    public Uni<Void> cancel(CallerThread thread, UUID run, CancelAction action, boolean wait) {
        return find(thread, run).chain(found -> {
            Optional<ThreadExecution> local = runs.find(run);
            if (found.status().isFinal()) {
                return Uni.createFrom().voidItem();
            }
            if (local.isEmpty()) {
                RunSelection selection = new RunSelection(thread.id(), List.of(run), null);
                return storage.execute(opened -> opened.runs().requestCancel(thread.owner(), selection, action))
                        .replaceWithVoid();
            }
            return Uni.createFrom().emitter(emitter -> {
                if (wait) {
                    local.get().run().onEnd(ignored -> emitter.complete(null));
                }
                local.get().cancel(action);
                if (!wait) {
                    emitter.complete(null);
                }
            });
        });
    }

    /** Deletes an ended run with its checkpoints. Fails with 404 if the thread has no such run, and 409 if it is active. */
    public Uni<Void> delete(CallerThread thread, UUID run) {
        return storage.execute(opened -> opened.runs().delete(thread.owner(), thread.id(), run))
                .invoke(deletion -> {
                    if (deletion == Deletion.ACTIVE) {
                        throw ProblemException.conflict("The run " + run + " or another run of its thread is active; "
                                + "cancel it, or wait for its end, before you delete the run.");
                    } else if (deletion == Deletion.MISSING) {
                        throw noRun(thread, run);
                    }
                })
                .replaceWithVoid();
    }

    /** Returns a run; fails with 404 if the thread has no such run. */
    Uni<StoredRun> find(CallerThread thread, UUID run) {
        return storage.execute(opened -> opened.runs().find(thread.owner(), thread.id(), run))
                .map(found -> found.filter(stored -> stored.kind() == Kind.RUN).orElseThrow(() -> noRun(thread, run)));
    }

    /** Returns the thread; fails with 404 if it does not exist. */
    public Uni<ThreadSnapshot> snapshot(CallerThread thread) {
        return findThread(thread).map(ThreadSnapshot::new);
    }

    /** Returns the time of the last change of the thread's state, by a run or an update; empty if there was none. */
    public Uni<Optional<Instant>> stateUpdatedAt(CallerThread thread) {
        return storage.execute(opened -> opened.threads().stateUpdatedAt(thread.owner(), thread.id()));
    }

    Uni<StoredThread> findThread(CallerThread thread) {
        return storage.execute(opened -> opened.threads().find(thread.owner(), thread.id()))
                .map(found -> found.orElseThrow(() -> noThread(thread)));
    }

    /** Fails with 404 if the thread has no such checkpoint, and its active run stores none within two seconds. */
    Uni<Void> requireCheckpoint(CallerThread thread, Fork fork) {
        return findThread(thread)
                .chain(stored -> stored.status() == ThreadStatus.BUSY ? awaitCheckpoint(stored, fork) : isStored(stored, fork))
                .invoke(isStored -> {
                    if (!isStored) {
                        throw noCheckpoint(thread, fork);
                    }
                })
                .replaceWithVoid();
    }

    /** Returns whether the active run of the thread stores the checkpoint soon: clients know it from an event before. */
    private Uni<Boolean> awaitCheckpoint(StoredThread thread, Fork fork) {
        return Uni.createFrom().deferred(() -> isStored(thread, fork))
                .repeat().withDelay(CHECKPOINT_INTERVAL).atMost(CHECKPOINT_ATTEMPTS)
                .filter(isStored -> isStored).select().first().toUni()
                .map(Boolean.TRUE::equals);
    }

    private Uni<Boolean> isStored(StoredThread thread, Fork fork) {
        return storage.execute(opened -> opened.checkpoints().get(thread.key(), fork.namespace(), fork.id()))
                .map(Optional::isPresent);
    }

    static ProblemException noThread(CallerThread thread) {
        return new ProblemException(CommonProblem.NOT_FOUND, "The thread " + thread.id() + " does not exist.");
    }

    static ProblemException noCheckpoint(CallerThread thread, Fork fork) {
        return new ProblemException(CommonProblem.NOT_FOUND,
                "The thread " + thread.id() + " has no checkpoint " + fork.id() + ".");
    }

    private static ProblemException noRun(CallerThread thread, UUID run) {
        return new ProblemException(CommonProblem.NOT_FOUND, "The thread " + thread.id() + " has no run " + run + ".");
    }
}
