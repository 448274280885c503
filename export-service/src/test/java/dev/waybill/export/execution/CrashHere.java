package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

/** Stops workers where a test wants it. Without a test's word nothing happens. */
@Singleton
class CrashHere implements CrashPoint {

    private static final Map<Step, Runnable> ARMED = new ConcurrentHashMap<>();

    /** Does {@code action} the next time a worker reaches the step, once. */
    static void once(Step step, Runnable action) {
        ARMED.put(step, action);
    }

    static void disarm() {
        ARMED.clear();
    }

    @Override
    public void reached(Step step) {
        Runnable action = ARMED.remove(step);
        if (action != null) {
            action.run();
        }
    }
}
