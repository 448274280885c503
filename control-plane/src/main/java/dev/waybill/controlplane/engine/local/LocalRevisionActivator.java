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
import java.util.function.Consumer;
import java.util.function.Function;

import org.jboss.logging.Logger;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.local.ApplicationBuild.BuiltApplication;
import dev.waybill.controlplane.engine.local.EnginePaths.ActiveRevisionFile;
import dev.waybill.controlplane.engine.local.EnginePaths.RevisionFence;

/** Starts a revision, routes requests to it, and keeps it running. */
final class LocalRevisionActivator {

    private static final Logger LOG = Logger.getLogger(LocalRevisionActivator.class);
    private static final String FILES_MISSING = "The application's files are missing on this machine; deploy it again.";
    private static final String EXITED = "The application ended before it was healthy. Fix it and deploy again; the log has its "
            + "last output.";
    private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(5);
    private static final Outcome STARTING = new Outcome.InProgress(
            "The application was started and is not healthy yet.", RECHECK_INTERVAL, true);
    private static final Outcome START_LIMIT_REACHED = new Outcome.InProgress(
            "Waiting to start: the workspace's limit of starting applications is reached.", RECHECK_INTERVAL);
    private static final int MAX_LOGGED_RESTARTS = 3;
    private static final int MAX_ROUTE_ATTEMPTS = 120;
    private static final int ROUTE_RETRY_MILLIS = 500;
    private static final int POLL_INTERVAL_MILLIS = 50;
    private static final int SLOW_POLL_INTERVAL_MILLIS = 500;
    private static final long FAST_POLL_NANOS = 20_000_000_000L;

    private final LocalEngineConfig config;
    private final EnginePaths paths;
    private final ReverseProxyProcess proxy;
    private final Function<Path, ApplicationProcess> applications;
    private final RevisionFence fence;
    private final PendingStarts pendingStarts;
    private final Consumer<ApplicationChanged> changes;
    private final RestartBackoff restartBackoff = new RestartBackoff();
    private final Set<Long> watched = ConcurrentHashMap.newKeySet();
    private final OutputLimiter outputs;

    LocalRevisionActivator(LocalEngineConfig config, EnginePaths paths, RevisionFence fence, ReverseProxyProcess proxy,
            Function<Path, ApplicationProcess> applications, OutputLimiter outputs,
            Consumer<ApplicationChanged> changes) {
        this.outputs = outputs;
        this.fence = fence;
        this.pendingStarts = new PendingStarts(config.maxStartingPerWorkspace(), changes);
        this.config = config;
        this.paths = paths;
        this.proxy = proxy;
        this.applications = applications;
        this.changes = changes;
    }

    /**
     * Starts the revision and returns immediately; called again when its health is known.
     *
     * @throws StepFailedException if it does not become healthy; its processes have then ended
     */
    Outcome start(RevisionSpec plan, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = paths.revision(plan.deploymentId(), plan.revisionId());
        BuiltApplication prepared = ApplicationBuild.of(folder, source)
                .orElseThrow(() -> new StepFailedException(FILES_MISSING));
        ApplicationProcess application = applications.apply(folder);
        CompletableFuture<Optional<String>> pending = pendingStarts.find(plan.revisionId());
        if (pending == null) {
            return startProcess(plan, prepared, application, log);
        }
        if (!pending.isDone()) {
            return STARTING;
        }
        pendingStarts.remove(plan.revisionId());
        Optional<String> failure = pending.join();
        if (failure.isPresent()) {
            fail(plan, application, failure.get(), log);
        }
        routeTo(plan, application);
        log.line(Phase.DEPLOY, Stream.SYSTEM, "The application is healthy and serves.");
        application.process().ifPresent(process -> watch(plan, process));
        return new Outcome.Done();
    }

    private Outcome startProcess(RevisionSpec plan, BuiltApplication prepared, ApplicationProcess application, BuildLog log)
            throws IOException, InterruptedException {
        boolean runs = application.process().isPresent();
        Optional<String> failure = application.output().startFailure();
        if (!runs && failure.isPresent()) {
            // Another control plane of this machine started it and recorded the failure.
            fail(plan, application, failure.get(), log);
        }
        if (!runs && !pendingStarts.hasCapacityFor(plan.tenantId())) {
            return START_LIMIT_REACHED;
        }
        stopSuperseded(plan);
        if (!runs) {
            log.line(Phase.DEPLOY, Stream.SYSTEM, "Starting the application.");
            application.unsupportedResources(plan).ifPresent(warning -> log.line(Phase.DEPLOY, Stream.SYSTEM, warning));
        }
        proxy.startInBackground();
        ProcessHandle process = launch(plan, prepared, application);
        pendingStarts.await(plan, () -> awaitHealthy(application, process));
        return STARTING;
    }

    /** Stops older revisions that were superseded while starting, so that they do not run beside this one. */
    private void stopSuperseded(RevisionSpec plan) throws IOException, InterruptedException {
        if (fence.isStale(plan.deploymentId(), plan.number())) {
            return;
        }
        for (UUID revision : paths.revisions(plan.deploymentId())) {
            Path folder = paths.revision(plan.deploymentId(), revision);
            if (!revision.equals(plan.revisionId()) && ActiveRevisionFile.read(folder).isEmpty()) {
                applications.apply(folder).end(Duration.ZERO);
                pendingStarts.remove(revision);
            }
        }
    }

    private void fail(RevisionSpec plan, ApplicationProcess application, String reason, BuildLog log)
            throws IOException, InterruptedException {
        application.output().lastLines().forEach(line -> log.line(Phase.DEPLOY, Stream.STDOUT, line));
        if (!isServing(plan)) {
            application.end(Duration.ZERO);
        }
        throw new StepFailedException(reason);
    }

    private ProcessHandle launch(RevisionSpec plan, BuiltApplication prepared, ApplicationProcess application)
            throws IOException, InterruptedException {
        outputs.watch(paths.revision(plan.deploymentId(), plan.revisionId()));
        return locked(plan.deploymentId(), () -> application.start(plan, prepared));
    }

    private void awaitHealthy(ApplicationProcess application, ProcessHandle process) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!application.isHealthy()) {
            boolean alive = process.isAlive();
            Optional<String> failure = application.output().startFailure();
            if (failure.isPresent() || !alive) {
                throw new StepFailedException(failure.orElse(EXITED));
            }
            if (System.nanoTime() - start > config.healthTimeout().toNanos()) {
                throw new StepFailedException("The application was not healthy within " + config.healthTimeout().toSeconds()
                        + " s. Load less at its start, or see the log for its last output.");
            }
            // Most applications are healthy soon; polling slows down afterwards to save CPU.
            Thread.sleep(System.nanoTime() - start < FAST_POLL_NANOS ? POLL_INTERVAL_MILLIS : SLOW_POLL_INTERVAL_MILLIS);
        }
    }

    private <T> T locked(UUID deploymentId, InterProcessLock.Action<T> work) throws IOException, InterruptedException {
        return InterProcessLock.withLock(paths.lock(deploymentId), work);
    }

    /** Stores the active revision before routing to it, so that a repeated call completes the switch after a crash. */
    private void routeTo(RevisionSpec plan, ApplicationProcess application) throws IOException, InterruptedException {
        locked(plan.deploymentId(), () -> {
            Path deployment = paths.deployment(plan.deploymentId());
            Optional<ActiveRevisionFile> active = ActiveRevisionFile.read(deployment);
            if (active.isPresent() && active.get().number() > plan.number()) {
                throw new StepFailedException("A newer revision is already active.");
            }
            ActiveRevisionFile next = new ActiveRevisionFile(plan.revisionId(), plan.number(), plan.port());
            if (!active.equals(Optional.of(next))) {
                next.write(paths.revision(plan.deploymentId(), plan.revisionId()));
                next.write(deployment);
            }
            proxy.route(plan.port(), application.port().orElseThrow());
            return next;
        });
    }

    /**
     * Routes requests back to a retained revision if the active one is not retained: it was interrupted, or its control plane
     * ended, before it was recorded as deployed.
     */
    void routeBack(UUID deploymentId, Set<UUID> keep) throws IOException, InterruptedException {
        Path deployment = paths.deployment(deploymentId);
        if (ActiveRevisionFile.read(deployment).isEmpty()) {
            return;
        }
        locked(deploymentId, () -> {
            Optional<ActiveRevisionFile> active = ActiveRevisionFile.read(deployment);
            if (active.isEmpty() || keep.contains(active.get().revision())) {
                return false;
            }
            for (UUID revision : keep) {
                Optional<ActiveRevisionFile> previous = ActiveRevisionFile.read(paths.revision(deploymentId, revision));
                if (previous.isPresent()) {
                    routeTo(deploymentId, previous.get());
                    previous.get().write(deployment);
                }
            }
            return true;
        });
    }

    /** Restores all routes in a new proxy process, with retries because a port can remain in use for a moment. */
    void restoreRoutes() {
        try {
            for (int attempt = 0; attempt < MAX_ROUTE_ATTEMPTS && !tryRestoreRoutes(); attempt++) {
                Thread.sleep(ROUTE_RETRY_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tryRestoreRoutes() throws InterruptedException {
        boolean all = true;
        for (UUID deployment : paths.deployments()) {
            try {
                Optional<ActiveRevisionFile> active = ActiveRevisionFile.read(paths.deployment(deployment));
                if (active.isPresent()) {
                    routeTo(deployment, active.get());
                }
            } catch (IOException | RuntimeException e) {
                LOG.warnf("the route of a deployment could not be restored: deployment=%s reason=%s", deployment,
                        e.getMessage());
                all = false;
            }
        }
        return all;
    }

    private void routeTo(UUID deployment, ActiveRevisionFile active) throws IOException, InterruptedException {
        Optional<Integer> port = applications.apply(paths.revision(deployment, active.revision())).port();
        if (port.isPresent()) {
            proxy.route(active.port(), port.get());
        }
    }

    private boolean isServing(RevisionSpec plan) throws IOException {
        return ActiveRevisionFile.read(paths.deployment(plan.deploymentId()))
                .filter(active -> active.revision().equals(plan.revisionId())).isPresent();
    }

    Observation observe(RevisionSpec plan, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = paths.revision(plan.deploymentId(), plan.revisionId());
        Optional<BuiltApplication> prepared = ApplicationBuild.of(folder, source);
        if (prepared.isEmpty()) {
            return new Observation.Failing(FILES_MISSING);
        }
        ApplicationProcess application = applications.apply(folder);
        Optional<ProcessHandle> process = application.process();
        if (process.isEmpty()) {
            return restart(plan, prepared.get(), application, log);
        }
        watch(plan, process.get());
        boolean healthy = application.isHealthy();
        if (!healthy) {
            return new Observation.Failing(
                    "The application runs and is not healthy. It is checked every few seconds; deploy a "
                            + "fixed revision if it does not recover.");
        }
        routeTo(plan, application);
        return new Observation.Serving();
    }

    private Observation restart(RevisionSpec plan, BuiltApplication prepared, ApplicationProcess application, BuildLog log)
            throws IOException, InterruptedException {
        String reason = application.output().startFailure().map(failure -> " " + failure).orElse("");
        Duration delay = restartBackoff.remainingDelay(plan.revisionId());
        if (!delay.isZero()) {
            scheduleCheck(plan, delay);
            return new Observation.Failing("The application ended and is restarted in " + (delay.toSeconds() + 1) + " s."
                    + reason);
        }
        int times = restartBackoff.recordStart(plan.revisionId());
        if (times <= MAX_LOGGED_RESTARTS) {
            log.line(Phase.DEPLOY, Stream.SYSTEM, "The application ended and is being restarted; its last output:");
            application.output().lastLines().forEach(line -> log.line(Phase.DEPLOY, Stream.STDOUT, line));
        }
        ProcessHandle process = launch(plan, prepared, application);
        watch(plan, process);
        Thread.ofVirtual().start(() -> notifyWhenHealthy(plan, application, process));
        return new Observation.Failing("The application ended and is being restarted (" + times + ")." + reason);
    }

    private void notifyWhenHealthy(RevisionSpec plan, ApplicationProcess application, ProcessHandle process) {
        try {
            awaitHealthy(application, process);
            changes.accept(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
        } catch (IOException | StepFailedException _) {
            // The process's exit handler reports the end.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void scheduleCheck(RevisionSpec plan, Duration later) {
        CompletableFuture.delayedExecutor(later.toMillis() + 1, TimeUnit.MILLISECONDS)
                .execute(() -> changes.accept(new ApplicationChanged(plan.tenantId(), plan.deploymentId())));
    }

    private void watch(RevisionSpec plan, ProcessHandle process) {
        outputs.watch(paths.revision(plan.deploymentId(), plan.revisionId()));
        if (watched.add(process.pid())) {
            var unused = process.onExit().thenRun(() -> {
                watched.remove(process.pid());
                changes.accept(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
            });
        }
    }
}
