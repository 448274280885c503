package dev.waybill.runtime.checkpoint;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RuntimeStorage;

/** Scopes of the runs on threads, and of the requests for threads' state, that workers execute now. */
@Singleton
public class RequestScopes implements RequestHandler.Provider {

    private final RuntimeStorage storage;
    private final Map<UUID, OpenScope> scopes = new ConcurrentHashMap<>();
    private final CheckpointCache cache = new CheckpointCache();

    RequestScopes(RuntimeStorage storage) {
        this.storage = storage;
    }

    /** Permits requests of the worker with the id; must be called before the run or request is sent to it. */
    public OpenScope open(UUID id, RequestScope scope) {
        OpenScope opened = new OpenScope(scope, cache);
        scopes.put(id, opened);
        return opened;
    }

    /** Removes the scope, when the worker executes nothing with the id any more. */
    public void close(UUID id) {
        scopes.remove(id);
    }

    /** Removes and returns the scope of an attempt, but not that of a later one. */
    public Optional<OpenScope> close(RunFence fence) {
        OpenScope opened = scopes.get(fence.run());
        return opened != null && fence.equals(opened.scope().fence()) && scopes.remove(fence.run(), opened)
                ? Optional.of(opened)
                : Optional.empty();
    }

    @Override
    public Optional<RequestHandler> find(UUID run) {
        OpenScope opened = scopes.get(run);
        return opened == null ? Optional.empty() : storage.find().map(found -> new StorageRequestHandler(found, opened));
    }
}
