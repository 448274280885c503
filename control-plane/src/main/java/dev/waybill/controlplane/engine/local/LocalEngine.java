package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.ApplicationUsage;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.local.EnginePaths.RevisionFence;
import dev.waybill.controlplane.engine.local.InterProcessLock.KeyedLocks;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.git.GitRepositories;
import io.smallrye.mutiny.Uni;

/** Runs applications as processes of this machine. All work blocks and therefore runs through {@link Blocking}. */
@Singleton
@Typed(LocalEngine.class)
public class LocalEngine implements Engine {

    private static final Logger LOG = Logger.getLogger(LocalEngine.class);
    private static final String NO_RUNTIME = "No engine is configured, so nothing can be built or run; the operator must set "
            + "waybill.engine.local.runtime.";

    private final LocalEngineConfig config;
    private final GitRepositories repositories;
    private final Blocking blocking;
    private final EnginePaths paths;
    private final RevisionFence fence;
    private final Function<Path, ApplicationProcess> applications;
    private final ApplicationBuild build;
    private final LocalRevisionActivator activator;
    private final LocalRevisionCleanup cleanup;
    private final ReverseProxyProcess proxy;
    private final OutputLimiter outputs = new OutputLimiter();
    private final KeyedLocks<UUID> locks = new KeyedLocks<>();

    @Inject
    LocalEngine(LocalEngineConfig config, GitRepositories repositories, Blocking blocking, Event<ApplicationChanged> changes) {
        this(config, repositories, blocking, changes::fire);
    }

    LocalEngine(LocalEngineConfig config, GitRepositories repositories, Blocking blocking,
            Consumer<ApplicationChanged> changes) {
        this.config = config;
        this.repositories = repositories;
        this.blocking = blocking;
        this.paths = new EnginePaths(config.directory());
        this.fence = new RevisionFence(paths);
        ProcessLauncher launcher = new ProcessLauncher(config, System.getenv());
        HttpClient client = HttpClient.newBuilder().connectTimeout(config.healthTimeout()).build();
        this.build = new ApplicationBuild(repositories, config, launcher);
        this.proxy = new ReverseProxyProcess(paths.root(), config, launcher);
        PortAllocator ports = new PortAllocator(paths);
        this.applications = revision -> new ApplicationProcess(revision, config, launcher, ports,
                client);
        this.activator = new LocalRevisionActivator(config, paths, fence, proxy, applications, outputs, changes);
        this.cleanup = new LocalRevisionCleanup(config, paths, proxy, applications);
        proxy.onExit(activator::restoreRoutes);
    }

    @Override
    public Map<String, String> settings() {
        return config.settings();
    }

    @Override
    public Uni<Outcome> prepare(RevisionSpec plan, BuildLog log) {
        return step(plan, () -> {
            fence.advance(plan);
            build.run(plan, repository(plan), paths.revision(plan.deploymentId(), plan.revisionId()), log);
            return new Outcome.Done();
        });
    }

    @Override
    public Uni<Outcome> start(RevisionSpec plan, BuildLog log) {
        return step(plan, () -> activator.start(plan, repository(plan), log));
    }

    @Override
    public Uni<Observation> observe(RevisionSpec plan) {
        return observe(plan, BuildLog.NONE);
    }

    @Override
    public Uni<Observation> observe(RevisionSpec plan, BuildLog log) {
        if (config.runtime().isEmpty()) {
            return Uni.createFrom().item(new Observation.Failing(NO_RUNTIME));
        }
        return blocking.call(() -> {
            try {
                return redacted(activator.observe(plan, repository(plan), log), plan);
            } catch (StepFailedException e) {
                return redacted(new Observation.Failing(e.reason()), plan);
            } finally {
                removeIfDeleted(plan.deploymentId());
            }
        });
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        return blocking.call(() -> serialized(deploymentId, () -> {
            if (!fence.isStale(deploymentId, newest)) {
                if (keep.isEmpty() && newest == MAX_REVISION_NUMBER) {
                    fence.markDeleted(deploymentId);
                }
                activator.routeBack(deploymentId, keep);
                cleanup.run(deploymentId, keep);
            }
            return new Outcome.Done();
        }));
    }

    @Override
    public Uni<ServerLog> serverLog(ApplicationId application, ServerLogQuery query, Redaction redaction) {
        Path folder = paths.revision(application.deploymentId(), application.revisionId());
        return blocking.callOnPlatformThread(() -> new OutputLog(folder).read(query, redaction));
    }

    @Override
    public Uni<ApplicationUsage> usage(ApplicationId application) {
        return blocking.call(() -> usage(paths.revision(application.deploymentId(), application.revisionId())));
    }

    private ApplicationUsage usage(Path folder) throws IOException, InterruptedException {
        if (!Files.isDirectory(folder)) {
            // It runs on another machine.
            return ApplicationUsage.UNKNOWN;
        }
        ApplicationProcess application = applications.apply(folder);
        long restarts = Math.max(0, application.output().log().starts() - 1);
        Optional<ProcessHandle> process = application.process();
        if (process.isEmpty()) {
            return new ApplicationUsage(0, 0, restarts, 0.0, 0L, null);
        }
        ProcessUsage usage = new ProcessUsage(process.get());
        Optional<Integer> port = application.port();
        return new ApplicationUsage(1, application.isHealthy() ? 1 : 0, restarts, usage.cpuCores(),
                usage.memoryBytes().orElse(null), port.flatMap(proxy::requestsPerMinute).orElse(null));
    }

    private Uni<Outcome> step(RevisionSpec plan, Callable<Outcome> work) {
        if (config.runtime().isEmpty()) {
            return Uni.createFrom().item(Outcome.Failed.permanent(NO_RUNTIME));
        }
        return blocking.call(() -> {
            try {
                return serialized(plan.deploymentId(), work);
            } catch (StepFailedException e) {
                return Outcome.Failed.permanent(Redaction.of(plan).apply(e.reason()));
            } catch (SourceException e) {
                return new Outcome.Failed(Redaction.of(plan).apply(String.valueOf(e.getMessage())),
                        e.kind() == SourceException.Kind.UNAVAILABLE);
            } finally {
                removeIfDeleted(plan.deploymentId());
            }
        });
    }

    /**
     * Removes what a step left of a deployment that another control plane of this machine deleted meanwhile: a cancelled step
     * may write files or start a process after the other one removed the folder.
     */
    private void removeIfDeleted(UUID deploymentId) throws Exception {
        if (!fence.isDeleted(deploymentId)) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            serialized(deploymentId, () -> {
                cleanup.run(deploymentId, Set.of());
                return new Outcome.Done();
            });
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs the deployment's steps one at a time: a cancelled step needs a moment to clean up and must not overlap with the next
     * one.
     */
    private Outcome serialized(UUID deploymentId, Callable<Outcome> work) throws Exception {
        try (KeyedLocks.LockHandle ignored = locks.acquire(deploymentId)) {
            return work.call();
        }
    }

    private static Observation redacted(Observation observation, RevisionSpec plan) {
        return switch (observation) {
            case Observation.Serving serving -> serving;
            case Observation.Failing failing -> new Observation.Failing(Redaction.of(plan).apply(failing.reason()));
        };
    }

    private static Commit repository(RevisionSpec plan) {
        return switch (plan.source()) {
            case Commit commit -> commit;
            case ApplicationSource.Image _ -> throw new StepFailedException(
                    "Images require the Kubernetes engine; this installation deploys applications from repositories only.");
        };
    }

    @PostConstruct
    void begin() {
        if (config.runtime().isPresent()) {
            // A platform thread, because file I/O and class loading would block the carriers of virtual threads.
            Thread.ofPlatform().daemon().name("git-warm-up").start(repositories::warmUp);
            outputs.start();
            Thread.ofPlatform().daemon().name("deleted-deployments").start(this::removeDeleted);
        }
    }

    /** Removes what a step left that was ended by a crash. */
    private void removeDeleted() {
        for (UUID deployment : paths.deployments()) {
            try {
                removeIfDeleted(deployment);
            } catch (Exception e) {
                LOG.warnf(e, "The files of the deleted deployment %s could not be removed", deployment);
            }
        }
    }

    @PreDestroy
    void end() throws InterruptedException {
        detach();
        if (config.stopOnShutdown() && config.runtime().isPresent()) {
            cleanup.endAll();
            proxy.kill();
        }
    }

    /** Limits the output of all running applications. */
    void limitOutput() throws InterruptedException {
        outputs.limitAll();
    }

    /** Stops supervising; running processes continue. */
    void detach() {
        outputs.stop();
        proxy.onExit(() -> {
        });
    }
}
