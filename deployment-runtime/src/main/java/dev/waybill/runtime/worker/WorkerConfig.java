package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How worker processes are run. */
@ConfigMapping(prefix = "waybill.runtime.worker")
public interface WorkerConfig {

    /** How many processes each graph has; one serves many runs at once. */
    @WithDefault("1")
    int processes();

    /** How long a worker may take until it answers {@code initialize}. */
    @WithDefault("60s")
    Duration startTimeout();

    /** How often a worker is asked whether it is still there. */
    @WithDefault("5s")
    Duration pingEvery();

    /** How long a worker may leave that question open before it counts as hanging and is killed. */
    @WithDefault("60s")
    Duration pingTimeout();

    /** The longest line that a worker may send. */
    @WithDefault("4M")
    MemorySize longestLine();

    /** How much of a run's events may be under way between worker and client. */
    @WithDefault("64K")
    MemorySize credit();

    /** How much a worker may go on sending for runs that have ended before it is killed. */
    @WithDefault("16M")
    MemorySize unasked();

    /** How long a worker may take to end a cancelled run; one that takes longer gets no new runs and is replaced. */
    @WithDefault("10s")
    Duration cancelTimeout();

    /** How long the first pause is before a worker that ended is started again; each further one is twice as long. */
    @WithDefault("200ms")
    Duration firstPause();

    /** How long the pauses become at most. */
    @WithDefault("30s")
    Duration longestPause();

    /** How long workers have to end by themselves when the runtime stops. */
    @WithDefault("3s")
    Duration stopTimeout();

    /**
     * File to which the runtime writes why a worker cannot start, before it exits with code 78. Without it the worker is
     * started again with growing pauses. Control planes set it for the applications that they deploy.
     */
    Optional<Path> failureFile();
}
