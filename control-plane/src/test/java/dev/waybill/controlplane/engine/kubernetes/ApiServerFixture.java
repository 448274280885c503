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
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.RevisionSpecFixtures;
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
 * An engine on the API server of {@code KUBECONFIG}, in a temporary namespace that is deleted at the end. The engine uses the
 * token of a service account with exactly the permissions of {@code k8s/base/applications/rights.yaml}. No node is needed: a
 * {@link FakeKubelet} runs the pods.
 */
public final class ApiServerFixture implements AutoCloseable {

    /** More memory than any node has, so that the scheduler leaves the pods to {@link FakeKubelet}. */
    private static final int UNSCHEDULABLE_MEMORY_MB = 512 << 20;
    private static final String ACCOUNT = "control-plane";
    private static final List<String> KINDS = List.of("v1/Secret", "v1/ConfigMap", "v1/Service", "v1/Pod", "apps/v1/Deployment",
            "apps/v1/ReplicaSet", "autoscaling/v2/HorizontalPodAutoscaler", "networking.k8s.io/v1/Ingress",
            "policy/v1/PodDisruptionBudget");

    final String namespace = "waybill-test-" + UUID.randomUUID().toString().substring(0, 8);
    final UUID deployment = UUID.randomUUID();
    final KubernetesClient admin = new KubernetesClientBuilder().build();
    final KubernetesClient client;
    final KubernetesEngineConfig config;
    final KubernetesApi cluster;
    final ServiceRouter router;
    private final KubernetesEngine engine;
    private final ClusterWatch watch;
    private final FakeKubelet kubelet;

    public ApiServerFixture(Consumer<ApplicationChanged> changes) {
        this(changes, Map.of());
    }

    ApiServerFixture(Consumer<ApplicationChanged> changes, Map<String, String> settings) {
        admin.resource(new NamespaceBuilder().withNewMetadata().withName(namespace)
                .addToLabels("pod-security.kubernetes.io/enforce", "restricted").endMetadata().build()).create();
        client = asServiceAccount(admin.getConfiguration());
        Map<String, String> all = new HashMap<>(Map.of("namespace", namespace, "ingress.host", "{id}.apps.example.com",
                "ingress.tls-secret", "certificate"));
        all.putAll(settings);
        config = RevisionSpecFixtures.config(all);
        cluster = new KubernetesApi(client);
        router = new ServiceRouter(cluster, config);
        PodLogCollector podLogs = new PodLogCollector(cluster);
        AppliedRevisions applied = new AppliedRevisions(Clock.systemUTC());
        KubernetesRevisionActivator activator = new KubernetesRevisionActivator(cluster, router, podLogs,
                new CommitInspector(TestSourceConfig.usual().repositories()), applied,
                Clock.systemUTC(), config);
        watch = new ClusterWatch(client, config, applied, changes::accept);
        engine = new KubernetesEngine(config, activator, new KubernetesRevisionCleanup(cluster, router, podLogs, config),
                new PodLogReader(cluster, config, Clock.systemUTC()), new PodUsage(cluster, config), watch, new Blocking());
        kubelet = new FakeKubelet(admin, namespace);
    }

    public KubernetesEngine engine() {
        return engine;
    }

    public FakeKubelet kubelet() {
        return kubelet;
    }

    /** Returns another client of the same server. */
    KubernetesClient client(Config clientConfig) {
        return new KubernetesClientBuilder().withConfig(clientConfig).build();
    }

    /** Returns the engine's client configuration. */
    Config clientConfig() {
        return client.getConfiguration();
    }

    private KubernetesClient asServiceAccount(Config of) {
        for (HasMetadata object : permissions()) {
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
                // As configured in the service: the reconciler retries, not the client.
                .withRequestRetryBackoffLimit(0).build()).build();
        // Permissions become effective with a delay.
        Patience.await().until(() -> made.resource(new SelfSubjectAccessReviewBuilder().withNewSpec()
                .withNewResourceAttributes().withNamespace(namespace).withVerb("create").withResource("configmaps")
                .endResourceAttributes().endSpec().build()).create().getStatus().getAllowed());
        return made;
    }

    private List<HasMetadata> permissions() {
        Path file = Path.of(System.getProperty("waybill.root"), "k8s", "base", "applications", "rights.yaml");
        try (var in = Files.newInputStream(file)) {
            return admin.load(in).items();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    RevisionSpec plan(long number, ApplicationSource source, ResourceSpec resources) {
        return new RevisionSpec(RevisionSpecFixtures.WORKSPACE, deployment, UUID.randomUUID(), number, "chat", source,
                Map.of("KEY", "a value"),
                resources, 0, URI.create("https://chat.example.com"));
    }

    /** Returns the plan with pods that only {@link FakeKubelet} can run. */
    public RevisionSpec withUnschedulableSize(RevisionSpec plan) {
        ResourceSpec requests = plan.resources();
        return new RevisionSpec(plan.tenantId(), plan.deploymentId(), plan.revisionId(), plan.number(), plan.name(),
                plan.source(),
                plan.environment(), new ResourceSpec(requests.minScale(), requests.maxScale(), null, null,
                        UNSCHEDULABLE_MEMORY_MB, UNSCHEDULABLE_MEMORY_MB),
                plan.port(), plan.url());
    }

    /** Returns the revision that a deployment's Service routes to. */
    public UUID routedRevision(UUID of) {
        return UUID.fromString(admin.services().inNamespace(namespace).withName(ObjectNames.deployment(of)).get().getSpec()
                .getSelector().get(ObjectNames.REVISION));
    }

    /** Returns a spec for pods that only {@link FakeKubelet} can run. */
    static ResourceSpec pods(int least, int most) {
        return new ResourceSpec(least, most, null, null, UNSCHEDULABLE_MEMORY_MB, UNSCHEDULABLE_MEMORY_MB);
    }

    /** Returns all objects of a deployment. */
    public List<String> objects(UUID of) {
        return KINDS.stream()
                .flatMap(kind -> admin
                        .genericKubernetesResources(kind.substring(0, kind.lastIndexOf('/')),
                                kind.substring(kind.lastIndexOf('/') + 1))
                        .inNamespace(namespace).withLabel(ObjectNames.DEPLOYMENT, of.toString()).list().getItems().stream())
                .map((GenericKubernetesResource object) -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    @Override
    public void close() {
        watch.end();
        client.close();
        admin.namespaces().withName(namespace).delete();
        // The kubelet terminates the pods.
        Patience.await().until(() -> admin.namespaces().withName(namespace).get() == null);
        kubelet.close();
        admin.close();
    }
}
