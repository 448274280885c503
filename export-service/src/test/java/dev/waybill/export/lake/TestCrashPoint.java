package dev.waybill.export.lake;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

/** Runs an action of a test when a worker of its workspace reaches a step. */
@Singleton
class TestCrashPoint implements CrashPoint {

    private static final Map<Trigger, Runnable> ARMED = new ConcurrentHashMap<>();

    /** Runs {@code action} once, when a worker of the workspace next reaches the step. */
    static void once(UUID tenantId, Step step, Runnable action) {
        ARMED.put(new Trigger(tenantId, step), action);
    }

    static void disarm() {
        ARMED.clear();
    }

    @Override
    public void reached(UUID tenantId, Step step) {
        Runnable action = ARMED.remove(new Trigger(tenantId, step));
        if (action != null) {
            action.run();
        }
    }

    private record Trigger(UUID tenantId, Step step) {
    }
}
