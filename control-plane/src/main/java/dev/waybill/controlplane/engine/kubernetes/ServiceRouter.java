package dev.waybill.controlplane.engine.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServiceSpec;

/**
 * Routes a deployment's requests: one Service per deployment, whose selector moves from revision to revision. An annotation
 * holds the routed revision's number. Every update requires the resource version that was read, so of two concurrent replicas
 * only one succeeds and the other retries.
 */
@Singleton
class ServiceRouter {

    private static final int MAX_ATTEMPTS = 10;

    private final KubernetesApi cluster;
    private final KubernetesEngineConfig config;
    private final Manifests manifests;

    ServiceRouter(KubernetesApi cluster, KubernetesEngineConfig config) {
        this.cluster = cluster;
        this.config = config;
        this.manifests = new Manifests(config);
    }

    /**
     * Routes requests to the plan's revision.
     *
     * @return false if they are already routed to a newer revision, which stays unchanged
     */
    boolean routeTo(RevisionSpec plan) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Service desired = manifests.service(plan);
            Optional<Service> present = find(plan.tenantId(), plan.deploymentId());
            if (present.isPresent() && ObjectNames.number(present.get()) > plan.number()) {
                return false;
            }
            boolean moved = present.isEmpty() ? cluster.create(desired)
                    : cluster.replace(desired, present.get().getMetadata().getResourceVersion());
            if (moved) {
                find(plan.tenantId(), plan.deploymentId())
                        .flatMap(service -> manifests.ingress(plan, service))
                        .ifPresent(cluster::apply);
                return true;
            }
        }
        throw new IllegalStateException(
                "the Service of a deployment could not be updated because of concurrent changes: " + plan.deploymentId());
    }

    /** Returns whether requests are routed to a revision with a greater number. */
    boolean isRoutedBeyond(UUID tenantId, UUID deploymentId, long number) {
        return find(tenantId, deploymentId).filter(service -> ObjectNames.number(service) > number).isPresent();
    }

    /** Returns whether the Service is up to date and routes to the plan's revision. */
    boolean routesTo(RevisionSpec plan) {
        ServiceSpec desired = manifests.service(plan).getSpec();
        return find(plan.tenantId(), plan.deploymentId())
                .filter(service -> ObjectNames.number(service) == plan.number()
                        && desired.getSelector().equals(service.getSpec().getSelector())
                        && ports(desired).equals(ports(service.getSpec())))
                .isPresent();
    }

    private static List<IntOrString> ports(ServiceSpec service) {
        return service.getPorts().stream()
                .flatMap(port -> Stream.of(new IntOrString(port.getPort()), port.getTargetPort()))
                .toList();
    }

    /** Routes requests back to the retained revision after a switch that was not recorded as deployed. */
    void routeBack(UUID tenantId, UUID deploymentId, UUID keep, long newest) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Service> present = find(tenantId, deploymentId);
            if (present.isEmpty() || ObjectNames.number(present.get()) > newest
                    || routedRevision(present.get()).filter(keep::equals).isPresent()
                    || cluster.replace(serviceFor(present.get(), keep, number(tenantId, keep)),
                            present.get().getMetadata().getResourceVersion())) {
                return;
            }
        }
        throw new IllegalStateException(
                "the Service of a deployment could not be updated because of concurrent changes: " + deploymentId);
    }

    /** Returns the revision's number; 0 if its Deployment is missing, whose restoration corrects it. */
    private long number(UUID tenantId, UUID revision) {
        return cluster.deployment(config.namespace(tenantId), ObjectNames.revision(revision)).map(ObjectNames::number)
                .orElse(0L);
    }

    /** Removes the deployment's Service and Ingress unless the Service was changed concurrently. */
    void remove(UUID tenantId, UUID deploymentId) {
        String namespace = config.namespace(tenantId);
        String name = ObjectNames.deployment(deploymentId);
        find(tenantId, deploymentId)
                .ifPresent(service -> cluster.deleteService(namespace, name, service.getMetadata().getResourceVersion()));
        if (config.ingress().host().isPresent() && !exists(tenantId, deploymentId)) {
            cluster.deleteIngress(namespace, name);
        }
    }

    boolean exists(UUID tenantId, UUID deploymentId) {
        return find(tenantId, deploymentId).isPresent();
    }

    /** Returns the number of pods that serve the deployment. */
    int replicas(UUID tenantId, UUID deploymentId) {
        return find(tenantId, deploymentId)
                .flatMap(ServiceRouter::routedRevision)
                .flatMap(revision -> cluster.deployment(config.namespace(tenantId), ObjectNames.revision(revision)))
                .map(deployment -> deployment.getSpec().getReplicas())
                .orElse(0);
    }

    private Optional<Service> find(UUID tenantId, UUID deploymentId) {
        return cluster.service(config.namespace(tenantId), ObjectNames.deployment(deploymentId));
    }

    private static Optional<UUID> routedRevision(Service service) {
        Map<String, String> selector = service.getSpec().getSelector();
        return selector == null ? Optional.empty() : ObjectNames.id(selector, ObjectNames.REVISION);
    }

    /** Returns the Service's managed fields with the other revision as its target. */
    private static Service serviceFor(Service present, UUID revision, long number) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(present.getMetadata().getName())
                .withNamespace(present.getMetadata().getNamespace())
                .withLabels(present.getMetadata().getLabels())
                .addToAnnotations(ObjectNames.NUMBER, String.valueOf(number))
                .endMetadata()
                .withNewSpec()
                .withType(present.getSpec().getType())
                .withSelector(Map.of(ObjectNames.REVISION, revision.toString()))
                .withPorts(present.getSpec().getPorts())
                .endSpec()
                .build();
    }
}
