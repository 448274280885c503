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

import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Removes revisions that are not needed any more, and leaves nothing of them. */
@Singleton
class Retirement {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Address address;
    private final Telling telling;
    private final KubernetesEngineConfig config;

    Retirement(Cluster cluster, Address address, Telling telling, KubernetesEngineConfig config) {
        this.cluster = cluster;
        this.address = address;
        this.telling = telling;
        this.config = config;
    }

    /** Safe to break off and to repeat: a revision's root goes last, so that it is found until nothing else is left. */
    Outcome run(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        String namespace = config.namespace(tenantId);
        Map<String, String> labels = Map.of(Names.DEPLOYMENT, deploymentId.toString());
        List<HasMetadata> objects = objects(namespace, labels);
        if (address.isBeyond(tenantId, deploymentId, newest)
                || objects.stream().anyMatch(object -> Names.number(object) > newest)) {
            // Who is late knows nothing of what is to be kept.
            return new Outcome.Done();
        }
        if (keep.isEmpty()) {
            address.close(tenantId, deploymentId);
        } else {
            keep.forEach(revision -> address.leadBack(tenantId, deploymentId, revision, newest));
        }
        for (UUID revision : revisions(objects, keep)) {
            String name = Names.revision(revision);
            cluster.deleteRevision(namespace, name, Names.credential(revision));
            cluster.deleteRoot(namespace, name);
            telling.forget(revision);
        }
        return isGone(tenantId, deploymentId, keep) ? new Outcome.Done()
                : new Outcome.InProgress("What the application is at is being finished.", LOOK_AGAIN);
    }

    /**
     * Where another revision serves, the pods of the one before end by themselves, in the time they have for it; where nothing
     * is to be left, they are waited for.
     */
    private boolean isGone(UUID tenantId, UUID deploymentId, Set<UUID> keep) {
        String namespace = config.namespace(tenantId);
        Map<String, String> labels = Map.of(Names.DEPLOYMENT, deploymentId.toString());
        return revisions(objects(namespace, labels), keep).isEmpty() && (!keep.isEmpty()
                || (!address.isOpen(tenantId, deploymentId) && cluster.pods(namespace, labels).isEmpty()));
    }

    /** What tells which revisions there are. */
    private List<HasMetadata> objects(String namespace, Map<String, String> labels) {
        return Stream.<List<? extends HasMetadata>> of(cluster.roots(namespace, labels), cluster.deployments(namespace, labels))
                .<HasMetadata> flatMap(List::stream)
                .toList();
    }

    private static Set<UUID> revisions(List<HasMetadata> objects, Set<UUID> keep) {
        return objects.stream()
                .map(object -> Names.id(object.getMetadata().getLabels(), Names.REVISION))
                .flatMap(Optional::stream)
                .filter(revision -> !keep.contains(revision))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
