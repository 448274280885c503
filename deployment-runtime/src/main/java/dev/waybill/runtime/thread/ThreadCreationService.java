package dev.waybill.runtime.thread;

import static java.util.Objects.requireNonNull;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Uni;

/** Creates threads, optionally with states. */
@Singleton
class ThreadCreationService {

    private final ThreadService threads;
    private final InitialStates states;

    ThreadCreationService(ThreadService threads, InitialStates states) {
        this.threads = threads;
        this.states = states;
    }

    /**
     * Creates a thread with its states, or none if one of them is rejected. An existing thread gets states only if it has none,
     * since the runtime may have ended after it created the thread.
     */
    Uni<StoredThread> create(Owner owner, CreateThreadRequest request) {
        return threads.create(owner, request).chain(creation -> {
            StoredThread thread = creation.thread();
            if (!request.hasSupersteps()) {
                return Uni.createFrom().item(thread);
            }
            if (creation.isNew()) {
                return store(thread, request);
            }
            return thread.stateUpdatedAt() == null ? storeMissing(thread, request) : Uni.createFrom().item(thread);
        });
    }

    /** Stores the states of an existing thread, unless it has a run or another request is storing them. */
    private Uni<StoredThread> storeMissing(StoredThread thread, CreateThreadRequest request) {
        return states.store(thread, requireNonNull(request.supersteps()))
                .onFailure(failure -> failure instanceof ProblemException problem && problem.type() == CommonProblem.CONFLICT)
                .recoverWithNull()
                .chain(() -> threads.find(thread.key().owner(), thread.key().thread()))
                .memoize().indefinitely();
    }

    private Uni<StoredThread> store(StoredThread created, CreateThreadRequest request) {
        Owner owner = created.key().owner();
        return states.store(created, requireNonNull(request.supersteps()))
                .onFailure().call(() -> threads.delete(owner, created.key().thread()).onFailure().recoverWithNull())
                .chain(() -> threads.find(owner, created.key().thread()))
                // A client that disconnects must not leave a thread with some of its states.
                .memoize().indefinitely();
    }
}
