package dev.waybill.common.edge;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Timeouts for receiving a request. */
@ConfigMapping(prefix = "waybill.requests")
public interface RequestsConfig {

    /** Maximum time for the head of a request, measured from the opening of the connection or the first byte of the head. */
    @WithDefault("1m")
    Duration headerTimeout();

    /** Minimum timeout for a body of any size. */
    @WithDefault("1m")
    Duration bodyTimeout();

    /** Bytes per second by which the body timeout grows with the size of the body. */
    @WithDefault("64K")
    MemorySize minBodyRate();
}
