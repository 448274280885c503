package dev.waybill.common.edge;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How long a client may take to send a body: a fixed time, and more for a larger one. */
@ConfigMapping(prefix = "waybill.requests")
public interface RequestsConfig {

    /** How long a body may take to arrive, whatever its size. */
    @WithDefault("1m")
    Duration bodyTime();

    /** How many bytes of it there must be a second beside that. */
    @WithDefault("64K")
    MemorySize bodyRate();
}
