package dev.waybill.controlplane.engine.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Applications as processes of this machine. */
@ConfigMapping(prefix = "waybill.engine.local")
public interface LocalEngineConfig {

    /** The runtime's {@code quarkus-run.jar}. Without it nothing can be deployed. */
    Optional<Path> runtime();

    /** Where applications are kept; only for this engine. */
    @WithDefault("applications")
    Path directory();

    /** The address that applications are reached at. */
    @WithDefault("127.0.0.1")
    String host();

    /** What else runtimes are told: names and values of their own configuration. */
    Map<String, String> settings();

    /** The heap of a runtime. Its workers take what they take. */
    @WithDefault("128M")
    MemorySize heap();

    /** How long an application may take to become healthy. */
    @WithDefault("60s")
    Duration healthTimeout();

    /**
     * Maximum number of applications of one workspace that were started and are not healthy yet, in each control plane. Raise
     * it
     * when many deployments are created at once; each takes its processes' memory.
     */
    @WithDefault("64")
    int maxStartingPerWorkspace();

    /** How long requests to a revision that was replaced may go on before it is told to end. */
    @WithDefault("5m")
    Duration drain();

    /** How long it may take to end then. */
    @WithDefault("70s")
    Duration grace();

    /** The longest pause before an application that keeps crashing is started again; the first is a second. */
    @WithDefault("1m")
    Duration longestPause();

    /** How long install and build commands may take, each. */
    @WithDefault("10m")
    Duration commandTimeout();

    /** How many lines of a command's output are kept. */
    @WithDefault("10000")
    int commandLines();

    /** How many processes a command may have at once. */
    @WithDefault("256")
    int commandProcesses();

    /** How large the files of a build may become while its commands run. */
    @WithDefault("4G")
    MemorySize disk();

    /** How many builds of a deployment are kept beside those in use, for earlier revisions that are deployed again. */
    @WithDefault("3")
    int keptBuilds();

    /** Which variables of the control plane's own environment commands and applications are given. */
    @WithDefault("PATH,LANG,LC_ALL,TZ")
    List<String> inherited();

    /** Whether applications end with the control plane instead of outliving it. For laptops and tests. */
    @WithDefault("false")
    boolean endWithControlPlane();
}
