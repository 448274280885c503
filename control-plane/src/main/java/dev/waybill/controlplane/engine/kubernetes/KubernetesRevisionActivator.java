package dev.waybill.controlplane.engine.kubernetes;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.Health;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.RevisionSnapshot;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Creates a revision's objects, routes requests to it, and restores drift. Never waits: steps in progress are polled. */
@Singleton
class KubernetesRevisionActivator {

    /** Pod changes trigger an earlier check; new log lines do not. */
    private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(2);
    private static final int MAX_PODS_WITH_EVENTS = 3;
    private static final String SUPERSEDED = "A newer revision is already active.";
    private static final BuildLog NO_LOG = BuildLog.NONE;

    private final KubernetesEngineConfig config;
    private final KubernetesApi cluster;
    private final ServiceRouter router;
    private final PodLogCollector logs;
    private final CommitInspector inspector;
    private final Clock clock;
    private final Manifests manifests;
    private final AppliedRevisions applied;

    KubernetesRevisionActivator(KubernetesApi cluster, ServiceRouter router, PodLogCollector logs, CommitInspector inspector,
            AppliedRevisions applied, Clock clock,
            KubernetesEngineConfig config) {
        this.config = config;
        this.cluster = cluster;
        this.router = router;
        this.logs = logs;
        this.inspector = inspector;
        this.clock = clock;
        this.manifests = new Manifests(config);
        this.applied = applied;
    }

    /** Returns done when a pod has completed its init containers. */
    Outcome prepare(RevisionSpec plan, BuildLog log) throws IOException, InterruptedException {
        requireNotSuperseded(plan);
        applyIfMissing(plan, log);
        RevisionSnapshot snapshot = readSnapshot(plan);
        logs.collect(plan, config.namespace(plan.tenantId()), snapshot.pods(), log);
        Health health = Diagnosis.of(snapshot);
        return health.built() ? new Outcome.Done() : inProgress(plan, health, Phase.BUILD, log);
    }

    /** Returns done when the desired number of pods is ready and requests are routed to them. */
    Outcome start(RevisionSpec plan, BuildLog log) throws IOException, InterruptedException {
        requireNotSuperseded(plan);
        applyIfMissing(plan, log);
        Health health = Diagnosis.of(readSnapshot(plan));
        if (!health.ready()) {
            return inProgress(plan, health, Phase.DEPLOY, log);
        }
        if (!router.routeTo(plan)) {
            throw new StepFailedException(SUPERSEDED);
        }
        logs.logOnce(plan, Phase.DEPLOY, log, "The application is healthy and serves.");
        logs.forget(plan.revisionId());
        return new Outcome.Done();
    }

    /** Restores the revision's objects if they changed and returns its state. */
    Observation observe(RevisionSpec plan) throws IOException, InterruptedException {
        Deployment present = cluster.deployment(config.namespace(plan.tenantId()), ObjectNames.revision(plan.revisionId()))
                .orElse(null);
        boolean ready = Diagnosis.of(snapshot(present, List.of(), List.of())).ready();
        if (!applied.isUpToDate(plan, present, ready) || !router.routesTo(plan)) {
            requireNotSuperseded(plan);
            reconcile(plan);
        } else if (ready) {
            return new Observation.Serving();
        }
        Health health = Diagnosis.of(readSnapshot(plan));
        return health.serving() ? new Observation.Serving() : new Observation.Failing(describe(plan, health));
    }

    private void reconcile(RevisionSpec plan) throws IOException, InterruptedException {
        Deployment deployment = apply(plan, languages(plan, NO_LOG));
        // An autoscaler ignores a Deployment that was scaled to zero.
        scaleUp(plan, 0);
        if (!router.routeTo(plan)) {
            throw new StepFailedException(SUPERSEDED);
        }
        applied.recordApplied(plan, deployment);
    }

    /** Fails if a newer revision is active, because a stale step would create objects that are never removed. */
    private void requireNotSuperseded(RevisionSpec plan) {
        if (router.isRoutedBeyond(plan.tenantId(), plan.deploymentId(), plan.number())) {
            throw new StepFailedException(SUPERSEDED);
        }
    }

    private Outcome inProgress(RevisionSpec plan, Health health, Phase phase, BuildLog log) {
        PodProblem problem = health.problem();
        if (problem == null) {
            logs.logOnce(plan, phase, log, health.activity());
            return new Outcome.InProgress(health.activity(), RECHECK_INTERVAL, health.built());
        }
        logs.logProblem(plan, config.namespace(plan.tenantId()), phase, log, problem);
        String reason = describe(plan, health);
        if (problem.retryable()) {
            return new Outcome.InProgress(reason, RECHECK_INTERVAL, health.built());
        }
        logs.forget(plan.revisionId());
        return Outcome.Failed.permanent(reason);
    }

    private String describe(RevisionSpec plan, Health health) {
        PodProblem problem = health.problem();
        return problem == null ? health.activity()
                : problem.reason() + logs.tailForReason(config.namespace(plan.tenantId()), problem.log());
    }

    /** Applies all objects unless the Deployment, which is created last, exists. */
    private void applyIfMissing(RevisionSpec plan, BuildLog log) throws IOException, InterruptedException {
        String namespace = config.namespace(plan.tenantId());
        String name = ObjectNames.revision(plan.revisionId());
        if (cluster.deployment(namespace, name).isEmpty()) {
            apply(plan, languages(plan, log));
        }
        // The autoscaler would start with the minimum although the active revision's full load is switched over.
        scaleUp(plan, router.replicas(plan.tenantId(), plan.deploymentId()));
    }

    private void scaleUp(RevisionSpec plan, int serving) {
        Manifests.initialReplicas(plan, serving).ifPresent(
                pods -> cluster.scaleUp(config.namespace(plan.tenantId()), ObjectNames.revision(plan.revisionId()), pods));
    }

    private Deployment apply(RevisionSpec plan, RuntimeLanguages languages) {
        String image = image(plan, languages);
        ConfigMap root = cluster.apply(manifests.root(plan, languages));
        manifests.dependents(plan, root).forEach(cluster::apply);
        return cluster.apply(manifests.deployment(plan, image, root));
    }

    private RuntimeLanguages languages(RevisionSpec plan, BuildLog log) throws IOException, InterruptedException {
        if (!(plan.source() instanceof Commit source)) {
            return RuntimeLanguages.NONE;
        }
        Optional<RuntimeLanguages> known = cluster
                .root(config.namespace(plan.tenantId()), ObjectNames.revision(plan.revisionId()))
                .map(root -> root.getMetadata().getAnnotations())
                .flatMap(annotations -> RuntimeLanguages.parse(annotations.get(ObjectNames.LANGUAGES)));
        return known.isPresent() ? known.get() : inspector.inspect(plan.tenantId(), source, log);
    }

    private String image(RevisionSpec plan, RuntimeLanguages languages) {
        return switch (plan.source()) {
            case ApplicationSource.Image own -> own.uri();
            case Commit _ -> languages.image(config.images())
                    .orElseThrow(() -> new StepFailedException("No runtime image is configured for an application in "
                            + languages.toText() + "; ask the operator to set " + languages.imageKeys() + "."));
        };
    }

    private RevisionSnapshot readSnapshot(RevisionSpec plan) {
        String namespace = config.namespace(plan.tenantId());
        List<Pod> pods = cluster.pods(namespace, Map.of(ObjectNames.REVISION, plan.revisionId().toString()));
        List<Event> events = pods.stream()
                .filter(KubernetesRevisionActivator::isNotReady)
                .limit(MAX_PODS_WITH_EVENTS)
                .flatMap(pod -> cluster.events(namespace, pod.getMetadata().getName()).stream())
                .toList();
        return snapshot(cluster.deployment(namespace, ObjectNames.revision(plan.revisionId())).orElse(null), pods, events);
    }

    private RevisionSnapshot snapshot(@Nullable Deployment deployment, List<Pod> pods, List<Event> events) {
        return new RevisionSnapshot(deployment, pods, events, clock.instant());
    }

    private static boolean isNotReady(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getConditions().stream()
                .noneMatch(condition -> condition.getType().equals("Ready") && condition.getStatus().equals("True"));
    }
}
