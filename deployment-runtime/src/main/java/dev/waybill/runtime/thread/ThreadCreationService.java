package dev.waybill.runtime.thread;

import static java.util.Objects.requireNonNull;

import jakarta.inject.Singleton;

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

    /** Creates a thread with its states, or none if one of them is rejected; an existing thread gets no states. */
    Uni<StoredThread> create(Owner owner, CreateThreadRequest request) {
        return threads.create(owner, request).chain(creation -> creation.isNew() && request.hasSupersteps()
                ? store(creation.thread(), request)
                : Uni.createFrom().item(creation.thread()));
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
