package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;

import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;

/** Brings a revision into service and keeps it there. */
final class Rollover {

    private static final Logger LOG = Logger.getLogger(Rollover.class);
    private static final String GONE = "The application's files are not on this machine any more; deploy it again.";
    private static final String ENDED = "The application ended before it was healthy. Fix it and deploy again; the log has its"
            + " last output.";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
    private static final Outcome STARTING = new Outcome.InProgress(
            "The application was started and is not healthy yet.", LOOK_AGAIN);
    private static final Outcome CROWDED = new Outcome.InProgress(
            "The application is started when fewer applications of the workspace are starting.", LOOK_AGAIN);
    private static final int MAX_LOGGED_RESTARTS = 3;
    private static final int MOST_ATTEMPTS = 120;
    private static final int AGAIN_MILLIS = 500;
    private static final int LOOK_MILLIS = 50;
    private static final int LATE_LOOK_MILLIS = 500;
    private static final long USUAL_START_NANOS = 20_000_000_000L;

    private final LocalEngineConfig config;
    private final Places places;
    private final GateKeeper gate;
    private final Applications applications;
    private final Fence fence;
    private final PendingStarts pendingStarts;
    private final LocalEngine.Changes changes;
    private final Restarts restarts;
    private final Set<Long> watched = ConcurrentHashMap.newKeySet();

    Rollover(LocalEngineConfig config, Places places, Fence fence, GateKeeper gate, Applications applications,
            LocalEngine.Changes changes) {
        this.fence = fence;
        this.pendingStarts = new PendingStarts(config.maxStartingPerWorkspace(), changes);
        this.config = config;
        this.places = places;
        this.gate = gate;
        this.applications = applications;
        this.changes = changes;
        this.restarts = new Restarts(config.longestPause());
    }

    /**
     * Starts it and returns at once; called again when its health is known.
     *
     * @throws StepFailure when it does not become healthy; then nothing of it runs any more
     */
    Outcome start(Plan plan, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = places.revision(plan.deploymentId(), plan.revisionId());
        Prepared prepared = Preparation.of(folder, source).orElseThrow(() -> new StepFailure(GONE));
        Application application = applications.in(folder);
        CompletableFuture<Optional<String>> pending = pendingStarts.find(plan.revisionId());
        if (pending == null) {
            return begin(plan, prepared, application, log);
        }
        if (!pending.isDone()) {
            return STARTING;
        }
        pendingStarts.forget(plan.revisionId());
        Optional<String> failure = pending.join();
        if (failure.isPresent()) {
            fail(plan, application, failure.get(), log);
        }
        lead(plan, application);
        log.line(Phase.DEPLOY, Stream.SYSTEM, "The application is healthy and serves.");
        application.process().ifPresent(process -> watch(plan, process));
        return new Outcome.Done();
    }

    private Outcome begin(Plan plan, Prepared prepared, Application application, BuildLog log)
            throws IOException, InterruptedException {
        boolean runs = application.process().isPresent();
        Optional<String> failure = application.output().startFailure();
        if (!runs && failure.isPresent()) {
            // Another control plane of this machine has seen it start.
            fail(plan, application, failure.get(), log);
        }
        if (!runs && !pendingStarts.hasCapacityFor(plan.tenantId())) {
            return CROWDED;
        }
        endOvertaken(plan);
        if (!runs) {
            log.line(Phase.DEPLOY, Stream.SYSTEM, "Starting the application.");
            application.unmet(plan).ifPresent(told -> log.line(Phase.DEPLOY, Stream.SYSTEM, told));
        }
        gate.startAhead();
        ProcessHandle process = launch(plan, prepared, application);
        pendingStarts.await(plan, () -> awaitHealthy(application, process));
        return STARTING;
    }

    /** An older revision that never served was overtaken while it was starting; it must not run beside this one. */
    private void endOvertaken(Plan plan) throws IOException, InterruptedException {
        if (fence.isLate(plan.deploymentId(), plan.number())) {
            return;
        }
        for (UUID revision : places.revisions(plan.deploymentId())) {
            Path folder = places.revision(plan.deploymentId(), revision);
            if (!revision.equals(plan.revisionId()) && Serving.read(folder).isEmpty()) {
                applications.in(folder).end(Duration.ZERO);
                pendingStarts.forget(revision);
            }
        }
    }

    private void fail(Plan plan, Application application, String reason, BuildLog log)
            throws IOException, InterruptedException {
        application.output().lastLines().forEach(line -> log.line(Phase.DEPLOY, Stream.STDOUT, line));
        if (!isServing(plan)) {
            application.end(Duration.ZERO);
        }
        throw new StepFailure(reason);
    }

    private ProcessHandle launch(Plan plan, Prepared prepared, Application application)
            throws IOException, InterruptedException {
        return alone(plan.deploymentId(), () -> application.start(plan, prepared));
    }

    private void awaitHealthy(Application application, ProcessHandle process) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!application.isHealthy()) {
            boolean alive = process.isAlive();
            Optional<String> failure = application.output().startFailure();
            if (failure.isPresent() || !alive) {
                throw new StepFailure(failure.orElse(ENDED));
            }
            if (System.nanoTime() - begin > config.healthTimeout().toNanos()) {
                throw new StepFailure("The application was not healthy within " + config.healthTimeout().toSeconds()
                        + " s. Load less at its start, or see the log for its last output.");
            }
            // Most are healthy soon; many that are not must not keep the machine busy.
            Thread.sleep(System.nanoTime() - begin < USUAL_START_NANOS ? LOOK_MILLIS : LATE_LOOK_MILLIS);
        }
    }

    private <T> T alone(UUID deploymentId, MachineLock.Work<T> work) throws IOException, InterruptedException {
        return MachineLock.hold(places.lock(deploymentId), work);
    }

    /** Written down first: whoever comes after a crash completes it. */
    private void lead(Plan plan, Application application) throws IOException, InterruptedException {
        alone(plan.deploymentId(), () -> {
            Path deployment = places.deployment(plan.deploymentId());
            Optional<Serving> serving = Serving.read(deployment);
            if (serving.isPresent() && serving.get().number() > plan.number()) {
                throw new StepFailure("A newer revision serves already.");
            }
            Serving next = new Serving(plan.revisionId(), plan.number(), plan.port());
            if (!serving.equals(Optional.of(next))) {
                next.write(places.revision(plan.deploymentId(), plan.revisionId()));
                next.write(deployment);
            }
            gate.route(plan.port(), application.port().orElseThrow());
            return next;
        });
    }

    /**
     * Takes the requests back from a revision that is not to be kept: one that was interrupted, or whose control plane ended,
     * when they went there already and nobody had written down that it is deployed.
     */
    void leadBack(UUID deploymentId, Set<UUID> keep) throws IOException, InterruptedException {
        Path deployment = places.deployment(deploymentId);
        if (Serving.read(deployment).isEmpty()) {
            return;
        }
        alone(deploymentId, () -> {
            Optional<Serving> serving = Serving.read(deployment);
            if (serving.isEmpty() || keep.contains(serving.get().revision())) {
                return false;
            }
            for (UUID kept : keep) {
                Optional<Serving> before = Serving.read(places.revision(deploymentId, kept));
                if (before.isPresent()) {
                    lead(deploymentId, before.get());
                    before.get().write(deployment);
                }
            }
            return true;
        });
    }

    /** Tells a new gate what the one before knew. A port may stay taken for a moment. */
    void leadAll() {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS && !allLead(); attempt++) {
                Thread.sleep(AGAIN_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean allLead() throws InterruptedException {
        boolean all = true;
        for (UUID deployment : places.deployments()) {
            try {
                Optional<Serving> serving = Serving.read(places.deployment(deployment));
                if (serving.isPresent()) {
                    lead(deployment, serving.get());
                }
            } catch (IOException | RuntimeException e) {
                LOG.warnf("the port of a deployment could not be opened again: deployment=%s reason=%s", deployment,
                        e.getMessage());
                all = false;
            }
        }
        return all;
    }

    private void lead(UUID deployment, Serving serving) throws IOException, InterruptedException {
        Optional<Integer> port = applications.in(places.revision(deployment, serving.revision())).port();
        if (port.isPresent()) {
            gate.route(serving.port(), port.get());
        }
    }

    private boolean isServing(Plan plan) throws IOException {
        return Serving.read(places.deployment(plan.deploymentId()))
                .filter(serving -> serving.revision().equals(plan.revisionId())).isPresent();
    }

    Observation observe(Plan plan, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = places.revision(plan.deploymentId(), plan.revisionId());
        Optional<Prepared> prepared = Preparation.of(folder, source);
        if (prepared.isEmpty()) {
            return new Observation.Failing(GONE);
        }
        Application application = applications.in(folder);
        Optional<ProcessHandle> process = application.process();
        if (process.isEmpty()) {
            return restart(plan, prepared.get(), application, log);
        }
        watch(plan, process.get());
        boolean healthy = application.isHealthy();
        application.output().shorten();
        if (!healthy) {
            return new Observation.Failing(
                    "The application runs and is not healthy. It is looked at every few seconds; deploy a"
                            + " fixed revision if it does not recover.");
        }
        lead(plan, application);
        return new Observation.Serving();
    }

    private Observation restart(Plan plan, Prepared prepared, Application application, BuildLog log)
            throws IOException, InterruptedException {
        String reason = application.output().startFailure().map(failure -> " " + failure).orElse("");
        Duration pause = restarts.pause(plan.revisionId());
        if (!pause.isZero()) {
            tell(plan, pause);
            return new Observation.Failing("The application ended, and is started again in " + (pause.toSeconds() + 1) + " s."
                    + reason);
        }
        int times = restarts.started(plan.revisionId());
        if (times <= MAX_LOGGED_RESTARTS) {
            log.line(Phase.DEPLOY, Stream.SYSTEM, "The application ended, and is being started again; its last output:");
            application.output().lastLines().forEach(line -> log.line(Phase.DEPLOY, Stream.STDOUT, line));
        }
        ProcessHandle process = launch(plan, prepared, application);
        watch(plan, process);
        Thread.ofVirtual().start(() -> tellWhenHealthy(plan, application, process));
        return new Observation.Failing("The application ended, and is being started again (" + times + ")." + reason);
    }

    private void tellWhenHealthy(Plan plan, Application application, ProcessHandle process) {
        try {
            awaitHealthy(application, process);
            changes.fire(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
        } catch (IOException | StepFailure _) {
            // Its end is told by whoever watches the process.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(Plan plan, Duration later) {
        CompletableFuture.delayedExecutor(later.toMillis() + 1, TimeUnit.MILLISECONDS)
                .execute(() -> changes.fire(new ApplicationChanged(plan.tenantId(), plan.deploymentId())));
    }

    private void watch(Plan plan, ProcessHandle process) {
        if (watched.add(process.pid())) {
            var unused = process.onExit().thenRun(() -> {
                watched.remove(process.pid());
                changes.fire(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
            });
        }
    }
}
