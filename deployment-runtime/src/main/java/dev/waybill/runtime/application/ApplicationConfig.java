package dev.waybill.runtime.application;

import java.nio.file.Path;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where the application is. */
@ConfigMapping(prefix = "waybill.runtime")
public interface ApplicationConfig {

    /** The application's directory; relative to where the runtime was started. */
    @WithDefault(".")
    Path directory();

    /** The application's configuration file, relative to the directory. */
    @WithDefault("langgraph.json")
    String configuration();
}
