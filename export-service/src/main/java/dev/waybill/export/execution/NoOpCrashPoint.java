package dev.waybill.export.execution;

import java.util.UUID;

import jakarta.inject.Singleton;

import io.quarkus.arc.DefaultBean;

/** The {@link CrashPoint} of production: does nothing. */
@Singleton
@DefaultBean
class NoOpCrashPoint implements CrashPoint {

    @Override
    public void reached(UUID tenantId, Step step) {
        // Only tests stop workers.
    }
}
