package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.kubernetes.manifest.Containers.CredentialFiles;
import dev.waybill.controlplane.engine.kubernetes.manifest.Containers.InitScripts;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.PodResources;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPathBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** Builds the objects of a revision and of its deployment. */
public final class Manifests {

    /** First path segments of deployment-runtime's OpenAPI description. */
    static final List<String> RUNTIME_PATHS = List.of("/assistants", "/info", "/ok", "/runs", "/store", "/threads");

    private final KubernetesEngineConfig config;
    private final PodTemplates pods;

    public Manifests(KubernetesEngineConfig config) {
        this.config = config;
        this.pods = new PodTemplates(config);
    }

    /** Returns the owner of all objects of the revision. It is created first and deleted last, so no object can be orphaned. */
    public ConfigMap root(RevisionSpec plan, RuntimeLanguages languages) {
        return new ConfigMapBuilder()
                .withMetadata(meta(plan, ObjectNames.revision(plan.revisionId()))
                        .addToAnnotations(ObjectNames.LANGUAGES, languages.toText())
                        .build())
                .withData(plan.source() instanceof Commit ? InitScripts.all() : Map.of())
                .build();
    }

    /** Returns the revision's Secrets, autoscaler and disruption budget. */
    public List<HasMetadata> dependents(RevisionSpec plan, ConfigMap root) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.addAll(secrets(plan));
        if (PodResources.scales(plan.resources())) {
            objects.add(autoscaler(plan));
        }
        if (PodResources.minReplicas(plan.resources()) > 1) {
            objects.add(budget(plan));
        }
        OwnerReference owner = owner(root);
        objects.forEach(object -> object.getMetadata().setOwnerReferences(List.of(owner)));
        return objects;
    }

    /** Returns the revision's Deployment. It is applied last, so its existence implies that of all other objects. */
    public Deployment deployment(RevisionSpec plan, String image, ConfigMap root) {
        Deployment deployment = deployment(plan, image);
        deployment.getMetadata().setOwnerReferences(List.of(owner(root)));
        return deployment;
    }

    /** Returns the deployment's Service, routing to the revision. */
    public Service service(RevisionSpec plan) {
        return new ServiceBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(ObjectNames.deployment(plan.deploymentId()))
                        .withNamespace(config.namespace(plan.tenantId()))
                        .withLabels(ObjectNames.ofDeployment(plan))
                        .addToAnnotations(ObjectNames.NUMBER, String.valueOf(plan.number()))
                        .build())
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(Map.of(ObjectNames.REVISION, plan.revisionId().toString()))
                .addNewPort().withName("http").withPort(80).withProtocol("TCP")
                .withTargetPort(new IntOrString("http")).endPort()
                .endSpec()
                .build();
    }

    /** Returns the deployment's Ingress, if ingress is configured. */
    public Optional<Ingress> ingress(RevisionSpec plan, Service service) {
        return config.ingress().host().map(template -> ingress(plan, service, host(template, plan)));
    }

    private List<Secret> secrets(RevisionSpec plan) {
        Secret environment = secret(meta(plan, ObjectNames.revision(plan.revisionId())), plan.environment());
        return plan.source() instanceof Commit commit && commit.credential() != null
                ? List.of(environment, secret(meta(plan, ObjectNames.credential(plan.revisionId())),
                        CredentialFiles.of(commit.credential(), config.runAs())))
                : List.of(environment);
    }

    private static Secret secret(ObjectMetaBuilder meta, Map<String, String> values) {
        // data instead of stringData, which server-side apply does not track.
        Map<String, String> encoded = new TreeMap<>();
        values.forEach((name, value) -> encoded.put(name,
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder().withMetadata(meta.build()).withType("Opaque").withData(encoded).build();
    }

    private Deployment deployment(RevisionSpec plan, String image) {
        return new DeploymentBuilder()
                .withMetadata(meta(plan, ObjectNames.revision(plan.revisionId())).build())
                .withNewSpec()
                // The autoscaler owns the replica count.
                .withReplicas(PodResources.scales(plan.resources()) ? null : PodResources.minReplicas(plan.resources()))
                .withRevisionHistoryLimit(1)
                .withNewSelector().addToMatchLabels(ObjectNames.REVISION, plan.revisionId().toString()).endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString(0))
                .withMaxSurge(new IntOrString(1))
                .endRollingUpdate()
                .endStrategy()
                .withTemplate(pods.template(plan, image))
                .endSpec()
                .build();
    }

    private HorizontalPodAutoscaler autoscaler(RevisionSpec plan) {
        String name = ObjectNames.revision(plan.revisionId());
        return new HorizontalPodAutoscalerBuilder()
                .withMetadata(meta(plan, name).build())
                .withNewSpec()
                .withNewScaleTargetRef("apps/v1", "Deployment", name)
                .withMinReplicas(PodResources.minReplicas(plan.resources()))
                .withMaxReplicas(PodResources.maxReplicas(plan.resources()))
                .addNewMetric()
                .withType("Resource")
                .withNewResource()
                .withName("cpu")
                .withNewTarget().withType("Utilization").withAverageUtilization(config.targetCpuUtilization()).endTarget()
                .endResource()
                .endMetric()
                .endSpec()
                .build();
    }

    /** Draining a node evicts one pod at a time; pods that are not ready do not block it. */
    private PodDisruptionBudget budget(RevisionSpec plan) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(meta(plan, ObjectNames.revision(plan.revisionId())).build())
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .withNewSelector().addToMatchLabels(ObjectNames.REVISION, plan.revisionId().toString()).endSelector()
                .endSpec()
                .build();
    }

    private Ingress ingress(RevisionSpec plan, Service service, String host) {
        IngressBuilder ingress = new IngressBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(ObjectNames.deployment(plan.deploymentId()))
                        .withNamespace(config.namespace(plan.tenantId()))
                        .withLabels(ObjectNames.ofDeployment(plan))
                        .withAnnotations(new TreeMap<>(config.ingress().annotations()))
                        .withOwnerReferences(owner(service))
                        .build())
                .withNewSpec()
                .withIngressClassName(config.ingress().className().orElse(null))
                .addNewRule()
                .withHost(host)
                .withNewHttp()
                .withPaths(paths(plan).map(path -> path(plan, path)).toList())
                .endHttp()
                .endRule()
                .endSpec();
        config.ingress().tlsSecret().ifPresent(secret -> ingress.editSpec()
                .addNewTl().withHosts(host).withSecretName(secret).endTl()
                .endSpec());
        return ingress.build();
    }

    /** Returns the published paths: those of the runtime without its health endpoints (/q), or all of a customer's image. */
    private static Stream<String> paths(RevisionSpec plan) {
        return plan.source() instanceof Commit ? RUNTIME_PATHS.stream() : Stream.of("/");
    }

    private static HTTPIngressPath path(RevisionSpec plan, String path) {
        return new HTTPIngressPathBuilder()
                .withPath(path)
                .withPathType("Prefix")
                .withNewBackend()
                .withNewService()
                .withName(ObjectNames.deployment(plan.deploymentId()))
                .withNewPort().withName("http").endPort()
                .endService()
                .endBackend()
                .build();
    }

    private static String host(String template, RevisionSpec plan) {
        return template.replace("{name}", plan.name()).replace("{id}", plan.deploymentId().toString())
                .replace("{tenant_id}", plan.tenantId().toString());
    }

    private ObjectMetaBuilder meta(RevisionSpec plan, String name) {
        return new ObjectMetaBuilder(new ObjectMeta())
                .withName(name)
                .withNamespace(config.namespace(plan.tenantId()))
                .withLabels(ObjectNames.ofRevision(plan))
                .addToAnnotations(ObjectNames.NUMBER, String.valueOf(plan.number()));
    }

    private static OwnerReference owner(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .build();
    }

    /**
     * Returns the number of pods to start with when replacing {@code serving} pods; empty if the manifest has a fixed number.
     */
    public static OptionalInt initialReplicas(RevisionSpec plan, int serving) {
        return PodResources.scales(plan.resources())
                ? OptionalInt.of(Math.clamp(serving, PodResources.minReplicas(plan.resources()),
                        PodResources.maxReplicas(plan.resources())))
                : OptionalInt.empty();
    }
}
