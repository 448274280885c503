package dev.waybill.controlplane.engine.kubernetes;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * Where a deployment's requests go: one Service, moved from revision to revision. Its annotation says which number it leads to;
 * every move names the version that it was read in, so that of two replicas only one moves it and the other looks again.
 */
@Singleton
class Address {

    private static final int MOST_ATTEMPTS = 10;

    private final Cluster cluster;
    private final KubernetesEngineConfig config;
    private final Manifests manifests;

    Address(Cluster cluster, KubernetesEngineConfig config) {
        this.cluster = cluster;
        this.config = config;
        this.manifests = new Manifests(config);
    }

    /** @return false when it leads to a newer revision, where it stays */
    boolean leadTo(Plan plan) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Service wanted = manifests.service(plan);
            Optional<Service> present = find(plan.tenantId(), plan.deploymentId());
            if (present.isPresent() && number(present.get()) > plan.number()) {
                return false;
            }
            boolean moved = present.isEmpty() ? cluster.create(wanted)
                    : cluster.replace(wanted, present.get().getMetadata().getResourceVersion());
            if (moved) {
                find(plan.tenantId(), plan.deploymentId())
                        .flatMap(service -> manifests.ingress(plan, service))
                        .ifPresent(cluster::apply);
                return true;
            }
        }
        throw new IllegalStateException("the Service of a deployment changes all the time: " + plan.deploymentId());
    }

    /** Takes the requests back from a revision that is not kept, when nobody had written down that it is deployed. */
    void leadBack(UUID tenantId, UUID deploymentId, Set<UUID> keep) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Optional<Service> present = find(tenantId, deploymentId);
            Optional<Deployment> kept = keep.stream()
                    .map(revision -> cluster.deployment(config.namespace(tenantId), Names.revision(revision)))
                    .flatMap(Optional::stream).findFirst();
            if (present.isEmpty() || kept.isEmpty() || leadsTo(present.get()).filter(keep::contains).isPresent()
                    || cluster.replace(leading(present.get(), kept.get()),
                            present.get().getMetadata().getResourceVersion())) {
                return;
            }
        }
        throw new IllegalStateException("the Service of a deployment changes all the time: " + deploymentId);
    }

    /** Nothing leads to the deployment any more. */
    void close(UUID tenantId, UUID deploymentId) {
        String namespace = config.namespace(tenantId);
        String name = Names.deployment(deploymentId);
        if (config.ingress().host().isPresent()) {
            cluster.deleteIngress(namespace, name);
        }
        cluster.deleteService(namespace, name);
    }

    boolean isOpen(UUID tenantId, UUID deploymentId) {
        return find(tenantId, deploymentId).isPresent();
    }

    /** How many pods take the deployment's requests now. */
    int pods(UUID tenantId, UUID deploymentId) {
        return find(tenantId, deploymentId)
                .flatMap(Address::leadsTo)
                .flatMap(revision -> cluster.deployment(config.namespace(tenantId), Names.revision(revision)))
                .map(deployment -> deployment.getSpec().getReplicas())
                .orElse(0);
    }

    private Optional<Service> find(UUID tenantId, UUID deploymentId) {
        return cluster.service(config.namespace(tenantId), Names.deployment(deploymentId));
    }

    private static Optional<UUID> leadsTo(Service service) {
        Map<String, String> selector = service.getSpec().getSelector();
        return selector == null ? Optional.empty() : Names.id(selector, Names.REVISION);
    }

    private static long number(Service service) {
        Map<String, String> annotations = service.getMetadata().getAnnotations();
        String number = annotations == null ? null : annotations.get(Names.NUMBER);
        return number == null || !number.matches("[0-9]{1,18}") ? 0 : Long.parseLong(number);
    }

    /** What is ours of the Service, leading to the other revision. */
    private static Service leading(Service present, Deployment revision) {
        Map<String, String> labels = revision.getMetadata().getLabels();
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(present.getMetadata().getName())
                .withNamespace(present.getMetadata().getNamespace())
                .withLabels(present.getMetadata().getLabels())
                .addToAnnotations(Names.NUMBER, revision.getMetadata().getAnnotations().get(Names.NUMBER))
                .endMetadata()
                .withNewSpec()
                .withType(present.getSpec().getType())
                .withSelector(Map.of(Names.REVISION, labels.get(Names.REVISION)))
                .withPorts(present.getSpec().getPorts())
                .endSpec()
                .build();
    }
}
