package dev.waybill.export.execution;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.export.run.FileLimits;

/** Produces the file size limits of exports for injection. */
@Singleton
class FileLimitsProducer {

    @Produces
    @Singleton
    FileLimits fileLimits(ExecutionConfig config) {
        return config.fileLimits();
    }
}
