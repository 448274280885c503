package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.RevisionSpecFixtures;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.smallrye.mutiny.Uni;

/** An engine over a {@link FakeCluster}, and a repository to deploy from. */
final class KubernetesEngineFixture implements AutoCloseable {

    static final String TOKEN = "token-of-the-repository";
    static final Map<String, String> SECRETS = Map.of("API_KEY", "key-of-the-customer");

    final FakeCluster cluster = new FakeCluster();
    final AdjustableClock clock = new AdjustableClock();
    final List<ApplicationChanged> changes = new CopyOnWriteArrayList<>();
    final List<String> log = new CopyOnWriteArrayList<>();
    final TestRepository repository;
    final KubernetesEngine engine;

    private final GitServer git;
    private final String url;
    private final ClusterWatch watch;
    private final Blocking blocking = new Blocking();

    KubernetesEngineFixture(Path folder, Map<String, String> settings) throws IOException {
        git = GitServer.start();
        repository = TestRepository.in(folder.resolve("agent.git"))
                .file("langgraph.json", "{\"graphs\": {\"agent\": \"./agent.mjs:graph\"}}")
                .file("agent.mjs", "export const graph = 1;");
        url = git.serveTo(TOKEN, "/acme/agent.git", repository);
        Map<String, String> all = new HashMap<>(Map.of("namespace", FakeCluster.NAMESPACE));
        all.putAll(settings);
        KubernetesEngineConfig config = RevisionSpecFixtures.config(all);
        KubernetesApi access = new KubernetesApi(cluster.client());
        ServiceRouter router = new ServiceRouter(access, config);
        PodLogCollector podLogs = new PodLogCollector(access);
        AppliedRevisions applied = new AppliedRevisions(clock);
        watch = new ClusterWatch(cluster.client(), config, applied, changes::add);
        engine = new KubernetesEngine(config,
                new KubernetesRevisionActivator(access, router, podLogs,
                        new CommitInspector(TestSourceConfig.usual().repositories()),
                        applied,
                        clock, config),
                new KubernetesRevisionCleanup(access, router, podLogs, config), new PodLogReader(access, config, clock),
                new PodUsage(access, config), watch,
                blocking);
    }

    KubernetesClient client() {
        return cluster.client();
    }

    /** Returns a plan for the repository's current content. */
    RevisionSpec plan(long number) throws IOException {
        return plan(number, new Commit(url, repository.commit(), "langgraph.json", new AccessToken(TOKEN), null, null));
    }

    RevisionSpec plan(long number, ApplicationSource source) {
        return plan(number, source, RevisionSpecFixtures.DEFAULT_RESOURCES);
    }

    RevisionSpec plan(long number, ApplicationSource source, ResourceSpec resources) {
        return RevisionSpecFixtures.plan(
                UUID.fromString("0198c1a2-0000-7000-8000-0000000001" + String.format(Locale.ROOT, "%02d", number)),
                number,
                source, SECRETS, resources);
    }

    BuildLog buildLog() {
        return (phase, stream, text) -> log.add(text);
    }

    Outcome prepare(RevisionSpec plan) {
        return await(engine.prepare(plan, buildLog()));
    }

    Outcome start(RevisionSpec plan) {
        return await(engine.start(plan, buildLog()));
    }

    Observation observe(RevisionSpec plan) {
        return await(engine.observe(plan));
    }

    Outcome stop(UUID... keep) {
        return stopAsOf(Engine.MAX_REVISION_NUMBER, keep);
    }

    /** Stops as a caller that knows revisions up to {@code newest}. */
    Outcome stopAsOf(long newest, UUID... keep) {
        return await(engine.stop(RevisionSpecFixtures.WORKSPACE, RevisionSpecFixtures.DEPLOYMENT, Set.of(keep), newest));
    }

    static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(2));
    }

    /** Deploys a new revision, playing the reconciler and the cluster. */
    RevisionSpec deployed(long number) throws IOException {
        RevisionSpec plan = plan(number);
        deploy(plan);
        return plan;
    }

    void deploy(RevisionSpec plan) {
        prepare(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        cluster.pod(revision, PodFixture.pod().running("application").ready().status());
        assertThat(prepare(plan)).isEqualTo(new Outcome.Done());
        cluster.ready(revision, Objects.requireNonNullElse(plan.resources().minScale(), 1));
        assertThat(start(plan)).isEqualTo(new Outcome.Done());
    }

    /** Deletes a revision's pods, as controllers do after its Deployment was deleted. */
    void deletePods(RevisionSpec plan) {
        client().pods().inNamespace(FakeCluster.NAMESPACE).withLabel(ObjectNames.REVISION, plan.revisionId().toString())
                .withGracePeriod(0).delete();
    }

    Service service() {
        return client().services().inNamespace(FakeCluster.NAMESPACE)
                .withName(ObjectNames.deployment(RevisionSpecFixtures.DEPLOYMENT))
                .get();
    }

    /** Returns the revision that the Service routes to. */
    UUID routedRevision() {
        return UUID.fromString(service().getSpec().getSelector().get(ObjectNames.REVISION));
    }

    /** Returns all objects of the deployment. */
    List<String> objects() {
        return List.of("v1/Secret", "v1/ConfigMap", "v1/Service", "v1/Pod", "apps/v1/Deployment",
                "autoscaling/v2/HorizontalPodAutoscaler", "networking.k8s.io/v1/Ingress", "policy/v1/PodDisruptionBudget")
                .stream()
                .flatMap(kind -> client()
                        .genericKubernetesResources(kind.substring(0, kind.lastIndexOf('/')),
                                kind.substring(kind.lastIndexOf('/') + 1))
                        .inNamespace(FakeCluster.NAMESPACE)
                        .withLabel(ObjectNames.DEPLOYMENT, RevisionSpecFixtures.DEPLOYMENT.toString()).list().getItems()
                        .stream())
                .map((HasMetadata object) -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    @Override
    public void close() {
        watch.end();
        cluster.close();
        git.close();
        repository.close();
    }

    /** A system clock that the test can advance. */
    static final class AdjustableClock extends Clock {

        private volatile Duration ahead = Duration.ZERO;

        void advance(Duration time) {
            ahead = ahead.plus(time);
        }

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new IllegalArgumentException("only UTC is needed here");
        }
    }
}
