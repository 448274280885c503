package dev.waybill.export.execution;

import jakarta.inject.Singleton;

import io.quarkus.arc.DefaultBean;

/** What {@link CrashPoint} is outside tests. */
@Singleton
@DefaultBean
class NoCrash implements CrashPoint {

    @Override
    public void reached(Step step) {
        // Nothing happens.
    }
}
