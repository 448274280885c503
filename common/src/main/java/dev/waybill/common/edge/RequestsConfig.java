package dev.waybill.common.edge;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How long a client may take to send a request: a time for its head; for its body one, and more for a larger one. */
@ConfigMapping(prefix = "waybill.requests")
public interface RequestsConfig {

    /** How long a request's head may take to arrive: since its connection was opened, or since the head's first byte. */
    @WithDefault("1m")
    Duration headTime();

    /** How long a body may take to arrive, whatever its size. */
    @WithDefault("1m")
    Duration bodyTime();

    /** How many bytes of it there must be a second beside that. */
    @WithDefault("64K")
    MemorySize bodyRate();
}
