package dev.waybill.export.execution;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.export.run.FileLimits;

/** Hands the limits of files to whoever writes some as the execution does. */
@Singleton
class FileLimitsProducer {

    @Produces
    @Singleton
    FileLimits fileLimits(ExecutionConfig config) {
        return config.fileLimits();
    }
}
