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
    private final Map<UUID, RequestScope> scopes = new ConcurrentHashMap<>();
    private final CheckpointCache cache = new CheckpointCache();

    RequestScopes(RuntimeStorage storage) {
        this.storage = storage;
    }

    /** Permits requests of the worker with the id; must be called before the run or request is sent to it. */
    public void open(UUID id, RequestScope scope) {
        scopes.put(id, scope);
    }

    /** Removes the scope, when the worker executes nothing with the id any more. */
    public void close(UUID id) {
        scopes.remove(id);
    }

    /** Removes the scope of an attempt, but not that of a later one. */
    public void close(RunFence fence) {
        scopes.computeIfPresent(fence.run(), (id, scope) -> fence.equals(scope.fence()) ? null : scope);
    }

    @Override
    public Optional<RequestHandler> find(UUID run) {
        RequestScope scope = scopes.get(run);
        return scope == null ? Optional.empty() : storage.find().map(opened -> new StorageRequestHandler(opened, scope, cache));
    }
}
