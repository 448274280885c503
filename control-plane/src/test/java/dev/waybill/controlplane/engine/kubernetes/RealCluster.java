package dev.waybill.controlplane.engine.kubernetes;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.ApplicationSource;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.Fixtures;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import dev.waybill.controlplane.source.TestSourceConfig;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * An engine over the API server that {@code KUBECONFIG} names, in a namespace of its own, which is all that is made and goes at
 * the end. The engine has the rights of {@code k8s/base/applications/rights.yaml} and no others: it calls with the token of a
 * service account. No node is needed: a {@link Kubelet} is played.
 */
public final class RealCluster implements AutoCloseable {

    /** No node has so much, so that a cluster with nodes leaves the pods to {@link Kubelet}. */
    private static final int MORE_MEMORY_THAN_ANY_NODE_MB = 512 << 20;
    private static final String ACCOUNT = "control-plane";
    private static final List<String> KINDS = List.of("v1/Secret", "v1/ConfigMap", "v1/Service", "v1/Pod", "apps/v1/Deployment",
            "apps/v1/ReplicaSet", "autoscaling/v2/HorizontalPodAutoscaler", "networking.k8s.io/v1/Ingress",
            "policy/v1/PodDisruptionBudget");

    final String namespace = "waybill-test-" + UUID.randomUUID().toString().substring(0, 8);
    final UUID deployment = UUID.randomUUID();
    final KubernetesClient admin = new KubernetesClientBuilder().build();
    final KubernetesClient client;
    final KubernetesEngineConfig config;
    final Cluster cluster;
    final Address address;
    private final KubernetesEngine engine;
    private final ClusterWatch watch;
    private final Kubelet kubelet;

    public RealCluster(Consumer<ApplicationChanged> changes) {
        this(changes, Map.of());
    }

    RealCluster(Consumer<ApplicationChanged> changes, Map<String, String> settings) {
        admin.resource(new NamespaceBuilder().withNewMetadata().withName(namespace)
                .addToLabels("pod-security.kubernetes.io/enforce", "restricted").endMetadata().build()).create();
        client = asServiceAccount(admin.getConfiguration());
        Map<String, String> all = new HashMap<>(Map.of("namespace", namespace, "ingress.host", "{id}.apps.example.com",
                "ingress.tls-secret", "certificate"));
        all.putAll(settings);
        config = Fixtures.config(all);
        cluster = new Cluster(client);
        address = new Address(cluster, config);
        Telling telling = new Telling(cluster);
        Applied applied = new Applied(Clock.systemUTC(), config);
        Rollover rollover = new Rollover(cluster, address, telling, new Inspection(TestSourceConfig.usual().repositories()),
                applied,
                Clock.systemUTC(), config);
        watch = new ClusterWatch(client, config, applied, changes::accept);
        engine = new KubernetesEngine(rollover, new Retirement(cluster, address, telling, config), watch, new Blocking());
        kubelet = new Kubelet(admin, namespace);
    }

    public KubernetesEngine engine() {
        return engine;
    }

    public Kubelet kubelet() {
        return kubelet;
    }

    /** Someone else who calls the same server. */
    KubernetesClient client(Config calling) {
        return new KubernetesClientBuilder().withConfig(calling).build();
    }

    /** The engine's own way to the server. */
    Config calling() {
        return client.getConfiguration();
    }

    private KubernetesClient asServiceAccount(Config of) {
        for (HasMetadata object : rights()) {
            object.getMetadata().setNamespace(namespace);
            if (object instanceof RoleBinding binding) {
                binding.getSubjects().forEach(subject -> subject.setNamespace(namespace));
            }
            admin.resource(object).forceConflicts().serverSideApply();
        }
        admin.serviceAccounts().inNamespace(namespace).resource(new io.fabric8.kubernetes.api.model.ServiceAccountBuilder()
                .withNewMetadata().withName(ACCOUNT).endMetadata().build()).create();
        String token = admin.serviceAccounts().inNamespace(namespace).withName(ACCOUNT)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().withExpirationSeconds(3600L).endSpec().build())
                .getStatus().getToken();
        KubernetesClient made = new KubernetesClientBuilder().withConfig(new ConfigBuilder(Config.empty())
                .withMasterUrl(of.getMasterUrl()).withCaCertFile(of.getCaCertFile()).withCaCertData(of.getCaCertData())
                .withTrustCerts(of.isTrustCerts()).withOauthToken(token)
                // As Quarkus configures it: the reconciler tries again, and not the client.
                .withRequestRetryBackoffLimit(0).build()).build();
        // Rights are told to the server's parts one after the other.
        Patience.await().until(() -> made.resource(new SelfSubjectAccessReviewBuilder().withNewSpec()
                .withNewResourceAttributes().withNamespace(namespace).withVerb("create").withResource("configmaps")
                .endResourceAttributes().endSpec().build()).create().getStatus().getAllowed());
        return made;
    }

    private List<HasMetadata> rights() {
        Path file = Path.of(System.getProperty("waybill.root"), "k8s", "base", "applications", "rights.yaml");
        try (var in = Files.newInputStream(file)) {
            return admin.load(in).items();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Plan plan(long number, ApplicationSource source, ResourceSpec resources) {
        return new Plan(Fixtures.WORKSPACE, deployment, UUID.randomUUID(), number, "chat", source, Map.of("KEY", "a value"),
                resources, 0, URI.create("https://chat.example.com"));
    }

    /** The same plan with pods of a size that none but {@link Kubelet} has room for. */
    public Plan moreThanAnyNodeHas(Plan plan) {
        ResourceSpec asked = plan.resources();
        return new Plan(plan.tenantId(), plan.deploymentId(), plan.revisionId(), plan.number(), plan.name(), plan.source(),
                plan.environment(), new ResourceSpec(asked.minScale(), asked.maxScale(), null, null,
                        MORE_MEMORY_THAN_ANY_NODE_MB, MORE_MEMORY_THAN_ANY_NODE_MB),
                plan.port(), plan.url());
    }

    /** The revision that a deployment's requests go to. */
    public UUID leadsTo(UUID of) {
        return UUID.fromString(admin.services().inNamespace(namespace).withName(Names.deployment(of)).get().getSpec()
                .getSelector().get(Names.REVISION));
    }

    /** So many pods, of a size that none but {@link Kubelet} has room for. */
    static ResourceSpec pods(int least, int most) {
        return new ResourceSpec(least, most, null, null, MORE_MEMORY_THAN_ANY_NODE_MB, MORE_MEMORY_THAN_ANY_NODE_MB);
    }

    /** Everything of a deployment that is in the cluster. */
    public List<String> objects(UUID of) {
        return KINDS.stream()
                .flatMap(kind -> admin
                        .genericKubernetesResources(kind.substring(0, kind.lastIndexOf('/')),
                                kind.substring(kind.lastIndexOf('/') + 1))
                        .inNamespace(namespace).withLabel(Names.DEPLOYMENT, of.toString()).list().getItems().stream())
                .map((GenericKubernetesResource object) -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    @Override
    public void close() {
        watch.end();
        client.close();
        admin.namespaces().withName(namespace).delete();
        // Its pods end as the kubelet says.
        Patience.await().until(() -> admin.namespaces().withName(namespace).get() == null);
        kubelet.close();
        admin.close();
    }
}
