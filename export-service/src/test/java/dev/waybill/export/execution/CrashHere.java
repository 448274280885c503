package dev.waybill.export.execution;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

/**
 * Stops workers where a test wants it. Without a test's word nothing happens, and nothing to work that other tests have left
 * behind.
 */
@Singleton
class CrashHere implements CrashPoint {

    private static final Map<Place, Runnable> ARMED = new ConcurrentHashMap<>();

    /** Does {@code action} the next time a worker for the workspace reaches the step, once. */
    static void once(UUID tenantId, Step step, Runnable action) {
        ARMED.put(new Place(tenantId, step), action);
    }

    static void disarm() {
        ARMED.clear();
    }

    @Override
    public void reached(UUID tenantId, Step step) {
        Runnable action = ARMED.remove(new Place(tenantId, step));
        if (action != null) {
            action.run();
        }
    }

    private record Place(UUID tenantId, Step step) {
    }
}
