package dev.waybill.controlplane.engine.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the engine that runs applications as processes of this machine. */
@ConfigMapping(prefix = "waybill.engine.local")
public interface LocalEngineConfig {

    /** Path of deployment-runtime's {@code quarkus-run.jar}; without it nothing can be deployed. */
    Optional<Path> runtime();

    /** Folder of all applications, on a local disk. */
    @WithDefault("applications")
    Path directory();

    /** Address at which applications listen. */
    @WithDefault("127.0.0.1")
    String host();

    /** Additional configuration of runtimes, by key. */
    Map<String, String> settings();

    /** Maximum heap of a runtime, without its workers. */
    @WithDefault("128M")
    MemorySize maxHeap();

    /** Timeout for an application to become healthy. */
    @WithDefault("60s")
    Duration healthTimeout();

    /**
     * Maximum number of applications of one workspace that are starting concurrently, per control plane.
     */
    @WithDefault("64")
    int maxStartingPerWorkspace();

    /** Time for requests at a replaced revision to finish before it is terminated. */
    @WithDefault("5m")
    Duration drainTimeout();

    /** Time between terminating and killing a process. */
    @WithDefault("70s")
    Duration terminationTimeout();

    /** Timeout for each install and build command. */
    @WithDefault("10m")
    Duration commandTimeout();

    /** Maximum size of a build's files. */
    @WithDefault("4G")
    MemorySize maxDisk();

    /** Environment variables of the control plane that commands and applications inherit. */
    @WithDefault("PATH,LANG,LC_ALL,TZ")
    List<String> inheritedVariables();

    /** Whether the control plane stops all applications when it stops; for laptops and tests. */
    @WithDefault("false")
    boolean stopOnShutdown();
}
