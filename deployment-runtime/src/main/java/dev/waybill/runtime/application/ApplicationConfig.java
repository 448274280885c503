package dev.waybill.runtime.application;

import java.nio.file.Path;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Location of the application. */
@ConfigMapping(prefix = "waybill.runtime")
public interface ApplicationConfig {

    /** Directory of the application; relative paths are resolved against the working directory. */
    @WithDefault(".")
    Path directory();

    /** Configuration file of the application, relative to the directory. */
    @WithDefault("langgraph.json")
    String configuration();
}
