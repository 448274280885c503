package dev.waybill.runtime.thread;

import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.Created;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadChange;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadPage;
import io.smallrye.mutiny.Uni;

/** Threads of an owner. A thread of another owner is missing. */
@Singleton
public class ThreadService {

    private static final String NO_CONFIG = "{}";

    private final RuntimeStorage storage;
    private final Ids ids;

    ThreadService(RuntimeStorage storage, Ids ids) {
        this.storage = storage;
        this.ids = ids;
    }

    /** A thread, and whether the request created it. */
    record Creation(StoredThread thread, boolean isNew) {
    }

    Uni<Creation> create(Owner owner, CreateThreadRequest request) {
        UUID id = request.threadId() == null ? ids.newId() : request.threadId();
        NewThread thread = new NewThread(id, request.metadata() == null ? "{}" : request.metadata().toString(), NO_CONFIG,
                ValidTtl.Check.orNull(request.ttl()));
        return storage.execute(opened -> opened.threads().create(owner, thread))
                .map(created -> switch (created) {
                    case Created.New made -> new Creation(made.thread(), true);
                    case Created.Existing existing when request.returnsExisting() -> new Creation(existing.thread(), false);
                    case Created.Existing ignored -> throw exists(id);
                    case Created.Conflict ignored -> throw exists(id);
                });
    }

    /** Returns a thread; fails with 404 if the owner has no such thread. */
    public Uni<StoredThread> find(Owner owner, UUID thread) {
        return storage.execute(opened -> opened.threads().find(owner, thread)).map(found -> require(found, thread));
    }

    Uni<ThreadPage> search(Owner owner, ThreadFilter filter) {
        return storage.execute(opened -> opened.threads().search(owner, filter));
    }

    Uni<Long> count(Owner owner, ThreadFilter filter) {
        return storage.execute(opened -> opened.threads().count(owner, filter));
    }

    Uni<StoredThread> update(Owner owner, UUID thread, UpdateThreadRequest request) {
        ThreadChange change = new ThreadChange(text(request), ValidTtl.Check.orNull(request.ttl()));
        return storage.execute(opened -> opened.threads().update(owner, thread, change)).map(found -> require(found, thread));
    }

    private static @Nullable String text(UpdateThreadRequest request) {
        return request.metadata() == null ? null : request.metadata().toString();
    }

    Uni<StoredThread> copy(Owner owner, UUID thread) {
        return storage.execute(opened -> opened.threads().copy(owner, thread, ids.newId()))
                .map(found -> require(found, thread));
    }

    Uni<Void> delete(Owner owner, UUID thread) {
        return storage.execute(opened -> opened.threads().delete(owner, thread))
                .invoke(deleted -> require(deleted ? Optional.of(thread) : Optional.empty(), thread))
                .replaceWithVoid();
    }

    private static <T> T require(Optional<T> found, UUID thread) {
        return found.orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "The thread " + thread + " does not exist."));
    }

    private static ProblemException exists(UUID thread) {
        return ProblemException.conflict("The thread " + thread
                + " exists; send another thread_id, or if_exists do_nothing to use a thread of your own.");
    }
}
