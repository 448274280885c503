package dev.waybill.runtime.thread;

import java.util.LinkedHashSet;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Deletes threads of an owner by id, or all but their newest checkpoints. */
@Singleton
class ThreadPruningService {

    private static final int NEWEST = 1;

    private final RuntimeStorage storage;

    ThreadPruningService(RuntimeStorage storage) {
        this.storage = storage;
    }

    /**
     * Prunes threads, one after the other, and returns their number. Missing threads do not count, so that a repeated request
     * has no effect; a thread with an active run keeps its checkpoints.
     */
    Uni<Integer> prune(Owner owner, PruneThreadsRequest request) {
        return storage.execute(opened -> Multi.createFrom().iterable(new LinkedHashSet<>(request.threadIds()))
                .onItem().transformToUniAndConcatenate(thread -> request.keepsLatest() ? keepLatest(opened, owner, thread)
                        : opened.threads().delete(owner, thread))
                .filter(Boolean::booleanValue)
                .collect().with(Collectors.counting())
                .map(Long::intValue));
    }

    private static Uni<Boolean> keepLatest(Storage opened, Owner owner, UUID thread) {
        return opened.threads().find(owner, thread)
                .map(found -> found.filter(stored -> stored.status() != ThreadStatus.BUSY))
                .chain(found -> found.map(stored -> opened.checkpoints().prune(stored.key(), NEWEST).replaceWith(true))
                        .orElseGet(() -> Uni.createFrom().item(false)));
    }
}
