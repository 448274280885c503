package dev.waybill.runtime.run;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits and timeouts of runs. */
@ConfigMapping(prefix = "waybill.runtime.runs")
public interface RunConfig {

    /** Maximum number of active runs, including delayed ones; further requests are rejected with 429. */
    @WithDefault("1000")
    int maxConcurrent();

    /** Maximum duration of a run. */
    @WithDefault("15m")
    Duration timeout();

    /** Retention of ended runs. */
    Retention retention();

    /** Retention of ended runs. */
    interface Retention {

        /** Time for which an ended run can be read, and the events of a resumable one replayed. */
        @WithDefault("10m")
        Duration maxAge();
    }

    /** Maximum size of a resumable run's events that are retained for clients that reconnect. */
    @WithDefault("1M")
    MemorySize replayBufferSize();

    /** Time that the client of a resumable run has to reconnect before the run is cancelled, unless it continues anyway. */
    @WithDefault("30s")
    Duration reconnectTimeout();

    /** Time without events after which a stream sends a heartbeat. */
    @WithDefault("5s")
    Duration heartbeatInterval();

    /** Time that active runs have to finish when the runtime shuts down. */
    @WithDefault("60s")
    Duration drainTimeout();
}
