package dev.waybill.controlplane.engine.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServiceSpec;

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
            if (present.isPresent() && Names.number(present.get()) > plan.number()) {
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

    /** Whether it leads to a newer revision than that number. */
    boolean isBeyond(UUID tenantId, UUID deploymentId, long number) {
        return find(tenantId, deploymentId).filter(service -> Names.number(service) > number).isPresent();
    }

    /** What is there needs nothing more to lead to the plan's revision. */
    boolean isAt(Plan plan) {
        ServiceSpec wanted = manifests.service(plan).getSpec();
        return find(plan.tenantId(), plan.deploymentId())
                .filter(service -> Names.number(service) == plan.number()
                        && wanted.getSelector().equals(service.getSpec().getSelector())
                        && ports(wanted).equals(ports(service.getSpec())))
                .isPresent();
    }

    private static List<IntOrString> ports(ServiceSpec service) {
        return service.getPorts().stream()
                .flatMap(port -> Stream.of(new IntOrString(port.getPort()), port.getTargetPort()))
                .toList();
    }

    /** Takes the requests back from a revision that is not kept, when nobody had written down that it is deployed. */
    void leadBack(UUID tenantId, UUID deploymentId, UUID keep, long newest) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Optional<Service> present = find(tenantId, deploymentId);
            if (present.isEmpty() || Names.number(present.get()) > newest
                    || leadsTo(present.get()).filter(keep::equals).isPresent()
                    || cluster.replace(leading(present.get(), keep, number(tenantId, keep)),
                            present.get().getMetadata().getResourceVersion())) {
                return;
            }
        }
        throw new IllegalStateException("the Service of a deployment changes all the time: " + deploymentId);
    }

    /** Where its Deployment is gone it is not known, and whoever puts that back says it. */
    private long number(UUID tenantId, UUID revision) {
        return cluster.deployment(config.namespace(tenantId), Names.revision(revision)).map(Names::number).orElse(0L);
    }

    /** Nothing leads to the deployment any more; but what somebody moves meanwhile stays. */
    void close(UUID tenantId, UUID deploymentId) {
        String namespace = config.namespace(tenantId);
        String name = Names.deployment(deploymentId);
        find(tenantId, deploymentId)
                .ifPresent(service -> cluster.deleteService(namespace, name, service.getMetadata().getResourceVersion()));
        if (config.ingress().host().isPresent() && !isOpen(tenantId, deploymentId)) {
            cluster.deleteIngress(namespace, name);
        }
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

    /** What is ours of the Service, leading to the other revision. */
    private static Service leading(Service present, UUID revision, long number) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(present.getMetadata().getName())
                .withNamespace(present.getMetadata().getNamespace())
                .withLabels(present.getMetadata().getLabels())
                .addToAnnotations(Names.NUMBER, String.valueOf(number))
                .endMetadata()
                .withNewSpec()
                .withType(present.getSpec().getType())
                .withSelector(Map.of(Names.REVISION, revision.toString()))
                .withPorts(present.getSpec().getPorts())
                .endSpec()
                .build();
    }
}
