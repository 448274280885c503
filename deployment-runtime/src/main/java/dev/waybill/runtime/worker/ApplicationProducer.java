package dev.waybill.runtime.worker;

import java.nio.file.Path;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Reads the application's configuration at startup. */
final class ApplicationProducer {

    private ApplicationProducer() {
    }

    @Produces
    @Singleton
    static Application application(ApplicationConfig config) {
        return ApplicationFile.read(config.directory(), config.configuration());
    }

    /** Location of the application. */
    @ConfigMapping(prefix = "waybill.runtime")
    interface ApplicationConfig {

        /** Directory of the application; relative paths are resolved against the working directory. */
        @WithDefault(".")
        Path directory();

        /** Configuration file of the application, relative to the directory. */
        @WithDefault("langgraph.json")
        String configuration();
    }
}
