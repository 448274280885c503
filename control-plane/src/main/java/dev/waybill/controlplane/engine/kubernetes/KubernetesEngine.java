package dev.waybill.controlplane.engine.kubernetes;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;

import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.ApplicationUsage;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.kubernetes.KubernetesApi.ApiErrors;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.source.SourceException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.smallrye.mutiny.Uni;

/** Runs applications in a Kubernetes cluster. The client blocks, so all work runs through {@link Blocking}. */
@Singleton
@Typed(KubernetesEngine.class)
public class KubernetesEngine implements Engine {

    private final KubernetesEngineConfig config;
    private final KubernetesRevisionActivator activator;
    private final KubernetesRevisionCleanup cleanup;
    private final PodLogReader logs;
    private final PodUsage usage;
    private final ClusterWatch watch;
    private final Blocking blocking;
    private final KeyedReadWriteLocks locks = new KeyedReadWriteLocks();

    KubernetesEngine(KubernetesEngineConfig config, KubernetesRevisionActivator activator, KubernetesRevisionCleanup cleanup,
            PodLogReader logs, PodUsage usage, ClusterWatch watch, Blocking blocking) {
        this.config = config;
        this.activator = activator;
        this.cleanup = cleanup;
        this.logs = logs;
        this.usage = usage;
        this.watch = watch;
        this.blocking = blocking;
    }

    @Override
    public Map<String, String> settings() {
        return config.settings();
    }

    @Override
    public Uni<Outcome> prepare(RevisionSpec plan, BuildLog log) {
        return step(plan, () -> activator.prepare(plan, log));
    }

    @Override
    public Uni<Outcome> start(RevisionSpec plan, BuildLog log) {
        return step(plan, () -> activator.start(plan, log));
    }

    @Override
    public Uni<Observation> observe(RevisionSpec plan) {
        return blocking.call(() -> {
            watch.begin();
            Observation observed = locks.shared(plan.deploymentId(),
                    () -> mapFailures(() -> activator.observe(plan), failed -> new Observation.Failing(failed.reason())));
            return observed instanceof Observation.Failing failing
                    ? new Observation.Failing(Redaction.of(plan).apply(failing.reason()))
                    : observed;
        });
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        return blocking.call(() -> {
            watch.begin();
            return locks.exclusive(deploymentId, () -> cleanup.run(tenantId, deploymentId, keep, newest));
        });
    }

    @Override
    public Uni<ServerLog> serverLog(ApplicationId application, ServerLogQuery query, Redaction redaction) {
        return blocking.call(() -> logs.read(application, query, redaction));
    }

    @Override
    public Uni<ApplicationUsage> usage(ApplicationId application) {
        return blocking.call(() -> usage.of(application));
    }

    private Uni<Outcome> step(RevisionSpec plan, Callable<Outcome> work) {
        return blocking.call(() -> {
            watch.begin();
            Outcome outcome = locks.shared(plan.deploymentId(), () -> outcome(work));
            return switch (outcome) {
                case Outcome.Done done -> done;
                case Outcome.InProgress progress -> new Outcome.InProgress(Redaction.of(plan).apply(progress.message()),
                        progress.recheckAfter(), progress.isHealthCheck());
                case Outcome.Failed failed -> new Outcome.Failed(Redaction.of(plan).apply(failed.reason()), failed.retryable());
            };
        });
    }

    private static Outcome outcome(Callable<Outcome> work) throws Exception {
        try {
            return mapFailures(work, failed -> failed);
        } catch (SourceException e) {
            return new Outcome.Failed(String.valueOf(e.getMessage()), true);
        }
    }

    /** Maps failures that a user or the operator can fix to a reason; all other exceptions propagate. */
    private static <T> T mapFailures(Callable<T> work, Function<Outcome.Failed, T> failed) throws Exception {
        try {
            return work.call();
        } catch (StepFailedException e) {
            return failed.apply(Outcome.Failed.permanent(e.reason()));
        } catch (SourceException e) {
            if (e.kind() == SourceException.Kind.UNAVAILABLE) {
                throw e;
            }
            return failed.apply(Outcome.Failed.permanent(String.valueOf(e.getMessage())));
        } catch (KubernetesClientException e) {
            return failed.apply(ApiErrors.outcome(e).orElseThrow(() -> e));
        }
    }
}
