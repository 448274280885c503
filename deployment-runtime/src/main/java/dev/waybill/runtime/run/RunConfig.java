package dev.waybill.runtime.run;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How runs are served. */
@ConfigMapping(prefix = "waybill.runtime.runs")
public interface RunConfig {

    /** How many runs may be under way or waiting at once; further ones are answered 429. */
    @WithDefault("1000")
    int concurrent();

    /** How long one run may take. */
    @WithDefault("15m")
    Duration timeout();

    /** How long a run can be asked for, and a resumable one be replayed, after its end. */
    @WithDefault("10m")
    Duration keptFor();

    /** How many ended runs are kept at most; the oldest go first. */
    @WithDefault("10000")
    int kept();

    /** How much of a resumable run's events is kept for clients that come back. */
    @WithDefault("1M")
    MemorySize resumable();

    /** How long the client of a resumable run may be gone before the run is cancelled (unless it goes on anyway). */
    @WithDefault("30s")
    Duration reconnect();

    /** After how much silence a stream carries a heartbeat. */
    @WithDefault("5s")
    Duration heartbeat();

    /**
     * How long a client may take nothing of what waits for it before its connection is closed. Whoever reads on, however
     * slowly, only slows its own run; about a kilobyte in a second is enough for the default.
     */
    @WithDefault("2m")
    Duration stalled();

    /** How long running runs may go on when the runtime is stopped. */
    @WithDefault("60s")
    Duration drain();

    /** How often a webhook is tried that is not answered with success; the pauses grow from one second. */
    @WithDefault("4")
    int webhookAttempts();

    /** How long a webhook may take to answer. */
    @WithDefault("10s")
    Duration webhookTimeout();
}
