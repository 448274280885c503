package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import dev.waybill.controlplane.engine.local.EnginePaths.ActiveRevisionFile;

/** Stops and removes revisions that are no longer needed. */
final class LocalRevisionCleanup {

    private static final int POLL_INTERVAL_MILLIS = 50;

    private final LocalEngineConfig config;
    private final EnginePaths paths;
    private final ReverseProxyProcess proxy;
    private final Function<Path, ApplicationProcess> applications;
    private final ConcurrentMap<Path, Long> replaced = new ConcurrentHashMap<>();
    private final ConcurrentMap<Path, Long> terminating = new ConcurrentHashMap<>();

    LocalRevisionCleanup(LocalEngineConfig config, EnginePaths paths, ReverseProxyProcess proxy,
            Function<Path, ApplicationProcess> applications) {
        this.config = config;
        this.paths = paths;
        this.proxy = proxy;
        this.applications = applications;
    }

    /** Removes all revisions except {@code keep}. Can be interrupted and repeated. */
    void run(UUID deployment, Set<UUID> keep) throws IOException, InterruptedException {
        Path folder = paths.deployment(deployment);
        Optional<ActiveRevisionFile> serving = ActiveRevisionFile.read(folder);
        if (keep.isEmpty() && serving.isPresent()) {
            proxy.close(serving.get().port());
        }
        for (UUID revision : paths.revisions(deployment)) {
            if (!keep.contains(revision)) {
                end(paths.revision(deployment, revision));
            }
        }
        if (keep.isEmpty()) {
            ProcessFinder.kill(folder);
            EnginePaths.remove(folder);
        } else {
            BuildCache.evictUnused(paths, deployment);
        }
    }

    private void end(Path revision) throws IOException, InterruptedException {
        ApplicationProcess application = applications.apply(revision);
        Optional<Integer> port = application.port();
        if (port.isPresent() && application.process().isPresent()) {
            awaitIdle(port.get(), remaining(replaced, revision, config.drainTimeout()));
        }
        application.end(remaining(terminating, revision, config.terminationTimeout()));
        EnginePaths.remove(revision);
        replaced.remove(revision);
        terminating.remove(revision);
    }

    /** Returns the time left since the first call, so that repeated calls do not restart the timeout. */
    private static Duration remaining(ConcurrentMap<Path, Long> since, Path revision, Duration time) {
        long begin = since.computeIfAbsent(revision, _ -> System.nanoTime());
        return time.minusNanos(System.nanoTime() - begin);
    }

    private void awaitIdle(int port, Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (proxy.inFlightRequests(port) > 0 && System.nanoTime() < end) {
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
    }

    /** Stops all applications concurrently and leaves their files. */
    void endAll() throws InterruptedException {
        for (UUID deployment : paths.deployments()) {
            for (UUID revision : paths.revisions(deployment)) {
                applications.apply(paths.revision(deployment, revision)).process().ifPresent(ProcessHandle::destroy);
            }
        }
        for (UUID deployment : paths.deployments()) {
            for (UUID revision : paths.revisions(deployment)) {
                applications.apply(paths.revision(deployment, revision)).end(Duration.ofSeconds(5));
            }
        }
    }
}
