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

import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Plan;
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

/** The objects of a revision, and those that its deployment has once. */
public final class Manifests {

    /** What deployment-runtime describes in docs/openapi, by the first part of the path. */
    static final List<String> RUNTIME_PATHS = List.of("/assistants", "/info", "/ok", "/runs", "/threads");

    private final KubernetesEngineConfig config;
    private final Pods pods;

    public Manifests(KubernetesEngineConfig config) {
        this.config = config;
        this.pods = new Pods(config);
    }

    /** What all objects of the revision belong to: it is made first and goes last, so that nothing can be left without it. */
    public ConfigMap root(Plan plan, Needs needs) {
        return new ConfigMapBuilder()
                .withMetadata(meta(plan, Names.revision(plan.revisionId()))
                        .addToAnnotations(Names.WRITTEN_IN, needs.toText())
                        .build())
                .withData(plan.source() instanceof Commit ? Scripts.all() : Map.of())
                .build();
    }

    /** What the revision's pods need beside it, what counts them, and what keeps some of them. */
    public List<HasMetadata> belongings(Plan plan, ConfigMap root) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.addAll(secrets(plan));
        if (Sizes.scales(plan.resources())) {
            objects.add(autoscaler(plan));
        }
        if (Sizes.least(plan.resources()) > 1) {
            objects.add(budget(plan));
        }
        OwnerReference owner = owner(root);
        objects.forEach(object -> object.getMetadata().setOwnerReferences(List.of(owner)));
        return objects;
    }

    /** The revision's pods. It is applied last: where it is, everything is. */
    public Deployment deployment(Plan plan, String image, ConfigMap root) {
        Deployment deployment = deployment(plan, image);
        deployment.getMetadata().setOwnerReferences(List.of(owner(root)));
        return deployment;
    }

    /** The deployment's address within the cluster, leading to that revision. */
    public Service service(Plan plan) {
        return new ServiceBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(Names.deployment(plan.deploymentId()))
                        .withNamespace(config.namespace(plan.tenantId()))
                        .withLabels(Names.ofDeployment(plan))
                        .addToAnnotations(Names.NUMBER, String.valueOf(plan.number()))
                        .build())
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(Map.of(Names.REVISION, plan.revisionId().toString()))
                .addNewPort().withName("http").withPort(80).withProtocol("TCP")
                .withTargetPort(new IntOrString("http")).endPort()
                .endSpec()
                .build();
    }

    /** The deployment's address outside of the cluster, where there is one. */
    public Optional<Ingress> ingress(Plan plan, Service service) {
        return config.ingress().host().map(template -> ingress(plan, service, host(template, plan)));
    }

    private List<Secret> secrets(Plan plan) {
        Secret environment = secret(meta(plan, Names.revision(plan.revisionId())), plan.environment());
        return plan.source() instanceof Commit commit && commit.credential() != null
                ? List.of(environment, secret(meta(plan, Names.credential(plan.revisionId())),
                        CredentialFiles.of(commit.credential(), config.runAs())))
                : List.of(environment);
    }

    private static Secret secret(ObjectMetaBuilder meta, Map<String, String> values) {
        // As it is stored: what is applied as stringData is owned by nobody.
        Map<String, String> encoded = new TreeMap<>();
        values.forEach((name, value) -> encoded.put(name,
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder().withMetadata(meta.build()).withType("Opaque").withData(encoded).build();
    }

    private Deployment deployment(Plan plan, String image) {
        return new DeploymentBuilder()
                .withMetadata(meta(plan, Names.revision(plan.revisionId())).build())
                .withNewSpec()
                // How many there are is the autoscaler's where there is one.
                .withReplicas(Sizes.scales(plan.resources()) ? null : Sizes.least(plan.resources()))
                .withRevisionHistoryLimit(1)
                .withNewSelector().addToMatchLabels(Names.REVISION, plan.revisionId().toString()).endSelector()
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

    private HorizontalPodAutoscaler autoscaler(Plan plan) {
        String name = Names.revision(plan.revisionId());
        return new HorizontalPodAutoscalerBuilder()
                .withMetadata(meta(plan, name).build())
                .withNewSpec()
                .withNewScaleTargetRef("apps/v1", "Deployment", name)
                .withMinReplicas(Sizes.least(plan.resources()))
                .withMaxReplicas(Sizes.most(plan.resources()))
                .addNewMetric()
                .withType("Resource")
                .withNewResource()
                .withName("cpu")
                .withNewTarget().withType("Utilization").withAverageUtilization(config.scaleAt()).endTarget()
                .endResource()
                .endMetric()
                .endSpec()
                .build();
    }

    /** Nodes that are emptied take one pod at a time; one that is not ready keeps no node. */
    private PodDisruptionBudget budget(Plan plan) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(meta(plan, Names.revision(plan.revisionId())).build())
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .withNewSelector().addToMatchLabels(Names.REVISION, plan.revisionId().toString()).endSelector()
                .endSpec()
                .build();
    }

    private Ingress ingress(Plan plan, Service service, String host) {
        IngressBuilder ingress = new IngressBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(Names.deployment(plan.deploymentId()))
                        .withNamespace(config.namespace(plan.tenantId()))
                        .withLabels(Names.ofDeployment(plan))
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

    /** The runtime's health (/q) stays inside; what a customer's own image serves is not known here. */
    private static Stream<String> paths(Plan plan) {
        return plan.source() instanceof Commit ? RUNTIME_PATHS.stream() : Stream.of("/");
    }

    private static HTTPIngressPath path(Plan plan, String path) {
        return new HTTPIngressPathBuilder()
                .withPath(path)
                .withPathType("Prefix")
                .withNewBackend()
                .withNewService()
                .withName(Names.deployment(plan.deploymentId()))
                .withNewPort().withName("http").endPort()
                .endService()
                .endBackend()
                .build();
    }

    private static String host(String template, Plan plan) {
        return template.replace("{name}", plan.name()).replace("{id}", plan.deploymentId().toString())
                .replace("{tenant_id}", plan.tenantId().toString());
    }

    private ObjectMetaBuilder meta(Plan plan, String name) {
        return new ObjectMetaBuilder(new ObjectMeta())
                .withName(name)
                .withNamespace(config.namespace(plan.tenantId()))
                .withLabels(Names.ofRevision(plan))
                .addToAnnotations(Names.NUMBER, String.valueOf(plan.number()));
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
     * How many pods the revision begins with, so that it can take over from so many that serve; empty where the manifest says
     * it.
     */
    public static OptionalInt begins(Plan plan, int serving) {
        return Sizes.scales(plan.resources())
                ? OptionalInt.of(Math.clamp(serving, Sizes.least(plan.resources()), Sizes.most(plan.resources())))
                : OptionalInt.empty();
    }
}
