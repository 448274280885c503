package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Ends revisions that are not needed any more, and leaves nothing of them. */
final class Retirement {

    private static final int LOOK_MILLIS = 50;

    private final LocalEngineConfig config;
    private final Places places;
    private final GateKeeper gate;
    private final Applications applications;
    private final ConcurrentMap<Path, Long> replaced = new ConcurrentHashMap<>();
    private final ConcurrentMap<Path, Long> told = new ConcurrentHashMap<>();

    Retirement(LocalEngineConfig config, Places places, GateKeeper gate, Applications applications) {
        this.config = config;
        this.places = places;
        this.gate = gate;
        this.applications = applications;
    }

    /** Safe to break off and to repeat. */
    void run(UUID deployment, Set<UUID> keep) throws IOException, InterruptedException {
        Path folder = places.deployment(deployment);
        Optional<Serving> serving = Serving.read(folder);
        if (keep.isEmpty() && serving.isPresent()) {
            gate.close(serving.get().port());
        }
        for (UUID revision : places.revisions(deployment)) {
            if (!keep.contains(revision)) {
                end(places.revision(deployment, revision));
            }
        }
        if (keep.isEmpty()) {
            MarkedProcesses.kill(folder);
            Places.remove(folder);
        } else {
            Builds.tidy(places, deployment, config.keptBuilds());
        }
    }

    private void end(Path revision) throws IOException, InterruptedException {
        Application application = applications.in(revision);
        Optional<Integer> port = application.port();
        if (port.isPresent() && application.process().isPresent()) {
            awaitIdle(port.get(), left(replaced, revision, config.drain()));
        }
        application.end(left(told, revision, config.grace()));
        Places.remove(revision);
        replaced.remove(revision);
        told.remove(revision);
    }

    /** Counted from the first call: one that is broken off and repeated must not begin anew. */
    private static Duration left(ConcurrentMap<Path, Long> since, Path revision, Duration time) {
        long begin = since.computeIfAbsent(revision, _ -> System.nanoTime());
        return time.minusNanos(System.nanoTime() - begin);
    }

    private void awaitIdle(int port, Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (gate.busy(port) > 0 && System.nanoTime() < end) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Everything at once, the files stay. */
    void endAll() throws InterruptedException {
        for (UUID deployment : places.deployments()) {
            for (UUID revision : places.revisions(deployment)) {
                applications.in(places.revision(deployment, revision)).process().ifPresent(ProcessHandle::destroy);
            }
        }
        for (UUID deployment : places.deployments()) {
            for (UUID revision : places.revisions(deployment)) {
                applications.in(places.revision(deployment, revision)).end(Duration.ofSeconds(5));
            }
        }
    }
}
