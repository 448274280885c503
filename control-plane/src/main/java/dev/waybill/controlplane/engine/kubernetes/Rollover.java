package dev.waybill.controlplane.engine.kubernetes;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ApplicationSource;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.health.Diagnosis;
import dev.waybill.controlplane.engine.kubernetes.health.Health;
import dev.waybill.controlplane.engine.kubernetes.health.Sighting;
import dev.waybill.controlplane.engine.kubernetes.health.Sighting.Patience;
import dev.waybill.controlplane.engine.kubernetes.health.Trouble;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import dev.waybill.controlplane.engine.kubernetes.manifest.Needs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Brings a revision into service and keeps it there. Waits for nothing: what is under way is asked for again. */
@Singleton
class Rollover {

    /** A change of a pod is told sooner; a line of a log is not. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
    private static final int MOST_PODS_ASKED = 3;
    private static final String LATE = "A newer revision serves already.";
    private static final BuildLog NOBODY = (phase, stream, text) -> {
    };

    private final KubernetesEngineConfig config;
    private final Cluster cluster;
    private final Address address;
    private final Telling telling;
    private final Inspection inspection;
    private final Clock clock;
    private final Manifests manifests;
    private final Applied applied;

    Rollover(Cluster cluster, Address address, Telling telling, Inspection inspection, Applied applied, Clock clock,
            KubernetesEngineConfig config) {
        this.config = config;
        this.cluster = cluster;
        this.address = address;
        this.telling = telling;
        this.inspection = inspection;
        this.clock = clock;
        this.manifests = new Manifests(config);
        this.applied = applied;
    }

    /** Done when a pod has everything that the application needs. */
    Outcome prepare(Plan plan, BuildLog log) throws IOException, InterruptedException {
        requireNotLate(plan);
        applyOnce(plan, log);
        Sighting seen = look(plan);
        telling.prepare(plan, config.namespace(plan.tenantId()), seen.pods(), log);
        Health health = Diagnosis.of(seen);
        return health.built() ? new Outcome.Done() : waiting(plan, health, Phase.BUILD, log);
    }

    /** Done when as many pods as are wanted are ready, and requests go there. */
    Outcome start(Plan plan, BuildLog log) throws IOException, InterruptedException {
        requireNotLate(plan);
        applyOnce(plan, log);
        Health health = Diagnosis.of(look(plan));
        if (!health.ready()) {
            return waiting(plan, health, Phase.DEPLOY, log);
        }
        if (!address.leadTo(plan)) {
            throw new StepFailure(LATE);
        }
        telling.say(plan, Phase.DEPLOY, log, "The application is healthy and serves.");
        telling.forget(plan.revisionId());
        return new Outcome.Done();
    }

    /** Everything is made what it is to be, whoever changed it; then it is told how it does. */
    Observation observe(Plan plan) throws IOException, InterruptedException {
        Deployment present = cluster.deployment(config.namespace(plan.tenantId()), Names.revision(plan.revisionId()))
                .orElse(null);
        boolean ready = Diagnosis.of(sighting(present, List.of(), List.of())).ready();
        if (!applied.isIntact(plan, present, ready) || !address.isAt(plan)) {
            requireNotLate(plan);
            putBack(plan);
        } else if (ready) {
            return new Observation.Serving();
        }
        Health health = Diagnosis.of(look(plan));
        return health.serving() ? new Observation.Serving() : new Observation.Failing(words(plan, health));
    }

    private void putBack(Plan plan) throws IOException, InterruptedException {
        Deployment deployment = apply(plan, needs(plan, NOBODY));
        // An autoscaler leaves alone what somebody scaled to nothing.
        scaleUp(plan, 0);
        if (!address.leadTo(plan)) {
            throw new StepFailure(LATE);
        }
        applied.note(plan, deployment);
    }

    /** Before anything is made: what a newer revision replaced would be left behind. */
    private void requireNotLate(Plan plan) {
        if (address.isBeyond(plan.tenantId(), plan.deploymentId(), plan.number())) {
            throw new StepFailure(LATE);
        }
    }

    private Outcome waiting(Plan plan, Health health, Phase phase, BuildLog log) {
        Trouble trouble = health.trouble();
        if (trouble == null) {
            telling.say(plan, phase, log, health.doing());
            return new Outcome.InProgress(health.doing(), LOOK_AGAIN);
        }
        telling.say(plan, phase, log, trouble.reason());
        String reason = words(plan, health);
        if (trouble.mayPass()) {
            return new Outcome.InProgress(reason, LOOK_AGAIN);
        }
        telling.forget(plan.revisionId());
        return Outcome.Failed.forGood(reason);
    }

    private String words(Plan plan, Health health) {
        Trouble trouble = health.trouble();
        return trouble == null ? health.doing()
                : trouble.reason() + telling.lastWords(config.namespace(plan.tenantId()), trouble.words());
    }

    /** The Deployment comes last: where it is, everything is. */
    private void applyOnce(Plan plan, BuildLog log) throws IOException, InterruptedException {
        String namespace = config.namespace(plan.tenantId());
        String name = Names.revision(plan.revisionId());
        if (cluster.deployment(namespace, name).isEmpty()) {
            apply(plan, needs(plan, log));
        }
        // From here on the autoscaler counts: it would begin with one and add to it while requests come already.
        scaleUp(plan, address.pods(plan.tenantId(), plan.deploymentId()));
    }

    private void scaleUp(Plan plan, int serving) {
        Manifests.begins(plan, serving).ifPresent(
                pods -> cluster.scaleUp(config.namespace(plan.tenantId()), Names.revision(plan.revisionId()), pods));
    }

    private Deployment apply(Plan plan, Needs needs) {
        String image = image(plan, needs);
        ConfigMap root = cluster.apply(manifests.root(plan, needs));
        manifests.belongings(plan, root).forEach(cluster::apply);
        return cluster.apply(manifests.deployment(plan, image, root));
    }

    private Needs needs(Plan plan, BuildLog log) throws IOException, InterruptedException {
        if (!(plan.source() instanceof Commit source)) {
            return Needs.NOTHING;
        }
        Optional<Needs> known = cluster.root(config.namespace(plan.tenantId()), Names.revision(plan.revisionId()))
                .map(root -> root.getMetadata().getAnnotations())
                .flatMap(annotations -> Needs.parse(annotations.get(Names.WRITTEN_IN)));
        return known.isPresent() ? known.get() : inspection.run(plan.tenantId(), source, log);
    }

    private String image(Plan plan, Needs needs) {
        return switch (plan.source()) {
            case ApplicationSource.Image own -> own.uri();
            case Commit _ -> needs.image(config.images())
                    .orElseThrow(() -> new StepFailure("There is no image for an application in " + needs.toText()
                            + " here; the operator sets " + needs.keys() + "."));
        };
    }

    private Sighting look(Plan plan) {
        String namespace = config.namespace(plan.tenantId());
        List<Pod> pods = cluster.pods(namespace, Map.of(Names.REVISION, plan.revisionId().toString()));
        List<Event> events = pods.stream()
                .filter(Rollover::isNotReady)
                .limit(MOST_PODS_ASKED)
                .flatMap(pod -> cluster.events(namespace, pod.getMetadata().getName()).stream())
                .toList();
        return sighting(cluster.deployment(namespace, Names.revision(plan.revisionId())).orElse(null), pods, events);
    }

    private Sighting sighting(@Nullable Deployment deployment, List<Pod> pods, List<Event> events) {
        return new Sighting(deployment, pods, events, clock.instant(), new Patience(config.pullTime(), config.crashes()));
    }

    private static boolean isNotReady(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getConditions().stream()
                .noneMatch(condition -> condition.getType().equals("Ready") && condition.getStatus().equals("True"));
    }
}
