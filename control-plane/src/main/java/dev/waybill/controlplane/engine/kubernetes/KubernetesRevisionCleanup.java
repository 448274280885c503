package dev.waybill.controlplane.engine.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Removes revisions that are no longer needed, with all of their objects. */
@Singleton
class KubernetesRevisionCleanup {

    private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(2);

    private final KubernetesApi cluster;
    private final ServiceRouter router;
    private final PodLogCollector logs;
    private final KubernetesEngineConfig config;

    KubernetesRevisionCleanup(KubernetesApi cluster, ServiceRouter router, PodLogCollector logs,
            KubernetesEngineConfig config) {
        this.cluster = cluster;
        this.router = router;
        this.logs = logs;
        this.config = config;
    }

    /**
     * Removes all revisions except {@code keep}. Can be interrupted and repeated: a revision's root is deleted last and
     * identifies it until then.
     */
    Outcome run(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        String namespace = config.namespace(tenantId);
        Map<String, String> labels = Map.of(ObjectNames.DEPLOYMENT, deploymentId.toString());
        List<HasMetadata> objects = objects(namespace, labels);
        if (router.isRoutedBeyond(tenantId, deploymentId, newest)
                || objects.stream().anyMatch(object -> ObjectNames.number(object) > newest)) {
            // A stale caller does not know the revisions that must remain.
            return new Outcome.Done();
        }
        if (keep.isEmpty()) {
            router.remove(tenantId, deploymentId);
        } else {
            keep.forEach(revision -> router.routeBack(tenantId, deploymentId, revision, newest));
        }
        for (UUID revision : revisions(objects, keep)) {
            String name = ObjectNames.revision(revision);
            cluster.deleteRevision(namespace, name, ObjectNames.credential(revision));
            cluster.deleteRoot(namespace, name);
            logs.forget(revision);
        }
        return isComplete(tenantId, deploymentId, keep) ? new Outcome.Done()
                : new Outcome.InProgress("Waiting for the application's pods to terminate.", RECHECK_INTERVAL);
    }

    /**
     * Returns whether cleanup is complete. Pods of a replaced revision may still terminate; those of a removed deployment must
     * be gone.
     */
    private boolean isComplete(UUID tenantId, UUID deploymentId, Set<UUID> keep) {
        String namespace = config.namespace(tenantId);
        Map<String, String> labels = Map.of(ObjectNames.DEPLOYMENT, deploymentId.toString());
        return revisions(objects(namespace, labels), keep).isEmpty() && (!keep.isEmpty()
                || (!router.exists(tenantId, deploymentId) && cluster.pods(namespace, labels).isEmpty()));
    }

    /** Returns the objects that identify the existing revisions. */
    private List<HasMetadata> objects(String namespace, Map<String, String> labels) {
        return Stream.<List<? extends HasMetadata>> of(cluster.roots(namespace, labels), cluster.deployments(namespace, labels))
                .<HasMetadata> flatMap(List::stream)
                .toList();
    }

    private static Set<UUID> revisions(List<HasMetadata> objects, Set<UUID> keep) {
        return objects.stream()
                .map(object -> ObjectNames.id(object.getMetadata().getLabels(), ObjectNames.REVISION))
                .flatMap(Optional::stream)
                .filter(revision -> !keep.contains(revision))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
