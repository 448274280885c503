package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Worker processes. */
@ConfigMapping(prefix = "waybill.runtime.worker")
public interface WorkerConfig {

    /** Number of processes per graph; each serves many runs concurrently. */
    @WithDefault("1")
    int processes();

    /** Time within which a worker must respond to {@code initialize}. */
    @WithDefault("60s")
    Duration startTimeout();

    /** Time within which a worker must respond to a ping; otherwise it is killed. */
    @WithDefault("60s")
    Duration pingTimeout();

    /** Maximum size of a line, and so of an event, from a worker; larger events are omitted. */
    @WithDefault("4M")
    MemorySize maxLineSize();

    /** Size of a run's events that may be in flight between worker and client. */
    @WithDefault("64K")
    MemorySize initialCredit();

    /**
     * File to which the runtime writes why a worker cannot start, before it exits with code 78. Unset, workers are restarted
     * with
     * backoff. The control plane sets it for the applications that it deploys.
     */
    Optional<Path> failureFile();
}
