package dev.waybill.runtime.application;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;

/** Reads the application's configuration at startup. */
final class ApplicationProducer {

    private ApplicationProducer() {
    }

    @Produces
    @Singleton
    static Application application(ApplicationConfig config) {
        return ApplicationFile.read(config.directory(), config.configuration());
    }
}
