package dev.waybill.controlplane.engine.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.OpenApi;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Credential.DeployKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPath;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Compares manifests with golden files in {@code src/test/resources/manifests}; {@code -Dmanifests.update=true} rewrites them,
 * for review before the commit.
 */
class ManifestsTest {

    private static final String TOKEN = "the-token-of-the-repository";

    @TestFactory
    Stream<DynamicTest> objectsMatchGoldenFiles() {
        ResourceSpec large = new ResourceSpec(2, 5, 0.5, 2.0, 1024, 1536);
        RevisionSpec scaled = RevisionSpecFixtures.plan(RevisionSpecFixtures.REVISION, 7,
                new Commit("https://git.example.com/acme/chat.git", RevisionSpecFixtures.COMMIT, "services/chat/graphs.json",
                        new AccessToken(TOKEN), "npm ci --omit=dev", "npm run build -- --price '$(COST)'"),
                Map.of("OPENAI_API_KEY", "sk-secret", "MODE", "production"), large);
        Map<String, String> settings = Map.of("ingress.host", "{name}-{id}.apps.example.com",
                "ingress.class-name", "nginx", "ingress.tls-secret", "apps-certificate",
                "ingress.annotations.\"nginx.ingress.kubernetes.io/proxy-read-timeout\"", "900",
                "settings.\"waybill.runtime.access.control-plane-url\"", "http://control-plane.waybill:8080",
                "pull-secrets", "registry", "runtime-class", "gvisor", "fetch-image", "registry.example.com/waybill/git:1",
                "namespace", "apps-{tenant_id}");
        return Stream.of(
                golden("defaults", Map.of(), RevisionSpecFixtures.plan(RevisionSpecFixtures.commit(null)),
                        RuntimeLanguages.of(List.of(RuntimeLanguages.NODE))),
                golden("full", settings, scaled, RuntimeLanguages.of(List.of(RuntimeLanguages.NODE, RuntimeLanguages.PYTHON))),
                golden("image", Map.of(), RevisionSpecFixtures.plan(new Image("registry.example.com/acme/chat@sha256:1234")),
                        RuntimeLanguages.NONE));
    }

    @Test
    void secretValuesAreOnlyInSecrets() {
        // Given
        RevisionSpec plan = RevisionSpecFixtures.plan(RevisionSpecFixtures.REVISION, 1,
                RevisionSpecFixtures.commit(new AccessToken(TOKEN)),
                Map.of("API_KEY", "sk-of-the-customer"), RevisionSpecFixtures.DEFAULT_RESOURCES);

        // When
        List<HasMetadata> objects = objects(RevisionSpecFixtures.config(), plan,
                RuntimeLanguages.of(List.of(RuntimeLanguages.NODE)));

        // Then
        List<HasMetadata> others = objects.stream().filter(object -> !object.getKind().equals("Secret")).toList();
        assertThat(Serialization.asYaml(others)).doesNotContain(TOKEN, "sk-of-the-customer")
                .contains(ObjectNames.credential(plan.revisionId()));
        assertThat(objects).filteredOn(object -> object.getKind().equals("Secret")).hasSize(2);
    }

    @Test
    void credentialIsMountedOnlyInTheFetchContainer() {
        // Given
        for (Commit source : List.of(RevisionSpecFixtures.commit(new AccessToken(TOKEN)),
                RevisionSpecFixtures.commit(new DeployKey("a key", "ssh-ed25519 AAAA")))) {
            // When
            PodSpec pod = pod(objects(RevisionSpecFixtures.config(), RevisionSpecFixtures.plan(source),
                    RuntimeLanguages.of(List.of(RuntimeLanguages.NODE))));

            // Then
            Map<String, List<String>> mounts = Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                    .collect(Collectors.toMap(Container::getName,
                            container -> container.getVolumeMounts().stream().map(VolumeMount::getName).toList()));
            assertThat(mounts.get("fetch")).contains("credential");
            assertThat(mounts.get("install")).doesNotContain("credential");
            assertThat(mounts.get("application")).doesNotContain("credential", "scripts");
            assertThat(pod.getInitContainers().getFirst().getEnvFrom()).isEmpty();
        }
    }

    @Test
    void deployKeySecretContainsKnownHosts() {
        // Given
        Commit source = RevisionSpecFixtures
                .commit(new DeployKey("-----BEGIN", "ssh-ed25519 AAAA\ngit.example.com ssh-rsa BBBB"));

        // When
        List<HasMetadata> objects = objects(RevisionSpecFixtures.config(), RevisionSpecFixtures.plan(source),
                RuntimeLanguages.of(List.of(RuntimeLanguages.NODE)));

        // Then
        Secret credential = objects.stream().filter(Secret.class::isInstance).map(Secret.class::cast)
                .filter(secret -> secret.getMetadata().getName().endsWith("-git")).findFirst().orElseThrow();
        assertThat(text(credential, "key")).isEqualTo("-----BEGIN\n");
        assertThat(text(credential, "known_hosts"))
                .isEqualTo("* ssh-ed25519 AAAA\ngit.example.com ssh-rsa BBBB\n");
        assertThat(text(credential, "passwd")).isEqualTo("waybill:x:10001:10001::/tmp:/bin/sh\n");
        assertThat(pod(objects).getInitContainers().getFirst().getVolumeMounts())
                .anySatisfy(mount -> {
                    assertThat(mount.getMountPath()).isEqualTo("/etc/passwd");
                    assertThat(mount.getSubPath()).isEqualTo("passwd");
                    assertThat(mount.getReadOnly()).isTrue();
                });
    }

    private static String text(Secret secret, String name) {
        return new String(Base64.getDecoder().decode(secret.getData().get(name)), StandardCharsets.UTF_8);
    }

    @Test
    void everyContainerIsRestricted() {
        for (RevisionSpec plan : List.of(RevisionSpecFixtures.plan(RevisionSpecFixtures.commit(null)),
                RevisionSpecFixtures.plan(new Image("a/b")))) {
            PodSpec pod = pod(
                    objects(RevisionSpecFixtures.config(), plan, RuntimeLanguages.of(List.of(RuntimeLanguages.NODE))));

            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())).allSatisfy(container -> {
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
                assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
                assertThat(container.getResources().getLimits()).containsKeys("cpu", "memory");
            });
        }
    }

    @Test
    void disruptionBudgetRequiresTwoReplicas() {
        // Given
        Image source = new Image("a/b");

        // When
        Stream<Boolean> budgets = Stream
                .of(RevisionSpecFixtures.DEFAULT_RESOURCES, new ResourceSpec(1, 5, null, null, null, null),
                        new ResourceSpec(2, 2, null, null, null, null), new ResourceSpec(2, 5, null, null, null, null))
                .map(podResources -> objects(RevisionSpecFixtures.config(),
                        RevisionSpecFixtures.plan(RevisionSpecFixtures.REVISION, 1, source, Map.of(), podResources),
                        RuntimeLanguages.NONE).stream().anyMatch(object -> object.getKind().equals("PodDisruptionBudget")));

        // Then: a budget for a single pod would block draining its node
        assertThat(budgets).containsExactly(false, false, true, true);
    }

    @Test
    void customerCannotOverrideRuntimeVariables() {
        // Given
        RevisionSpec plan = RevisionSpecFixtures.plan(RevisionSpecFixtures.REVISION, 1, RevisionSpecFixtures.commit(null),
                Map.of("WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID", "another"), RevisionSpecFixtures.DEFAULT_RESOURCES);

        // When
        Container application = pod(
                objects(RevisionSpecFixtures.config(), plan, RuntimeLanguages.of(List.of(RuntimeLanguages.NODE))))
                .getContainers().getFirst();

        // Then
        assertThat(application.getEnv())
                .filteredOn(variable -> variable.getName().equals("WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID"))
                .extracting(EnvVar::getValue).containsExactly(RevisionSpecFixtures.WORKSPACE.toString());
    }

    @Test
    void passwordOfThreadsIsInTheSecretAndInNoBuild() {
        RevisionSpec plan = RevisionSpecFixtures.plan(RevisionSpecFixtures.REVISION, 1, RevisionSpecFixtures.commit(null),
                Map.of(ThreadSettings.PASSWORD_VARIABLE, "password-of-a-test"), RevisionSpecFixtures.DEFAULT_RESOURCES);
        KubernetesEngineConfig config = RevisionSpecFixtures.config(Map.of(
                "settings.\"waybill.runtime.threads.database.url\"", "postgresql://database:5432/waybill"));
        List<HasMetadata> objects = objects(config, plan, RuntimeLanguages.of(List.of(RuntimeLanguages.NODE)));
        PodSpec pod = pod(objects);

        assertThat(Serialization.asYaml(objects.stream().filter(object -> !(object instanceof Secret)).toList()))
                .doesNotContain("password-of-a-test");
        assertThat(pod.getContainers().getFirst().getEnv()).extracting(EnvVar::getName, EnvVar::getValue).contains(
                tuple("WAYBILL_RUNTIME_THREADS_STORAGE", "postgresql"),
                tuple("WAYBILL_RUNTIME_THREADS_DATABASE_URL", "postgresql://database:5432/waybill"),
                tuple("WAYBILL_RUNTIME_THREADS_DATABASE_USERNAME", "waybill_app_" + RevisionSpecFixtures.DEPLOYMENT),
                tuple("WAYBILL_RUNTIME_THREADS_DATABASE_DEPLOYMENT_ID", RevisionSpecFixtures.DEPLOYMENT.toString()),
                tuple("WAYBILL_RUNTIME_THREADS_DATABASE_WORKSPACE_ID", RevisionSpecFixtures.WORKSPACE.toString()));
        assertThat(pod.getInitContainers().getLast().getEnv()).extracting(EnvVar::getName, EnvVar::getValue)
                .contains(tuple(ThreadSettings.PASSWORD_VARIABLE, ""));
    }

    @Test
    void ingressPublishesTheDescribedPathsOfTheRuntimeOnly() {
        // Given
        Set<String> described = OpenApi.of("deployment-runtime").operations().stream()
                .map(operation -> "/" + operation.path().split("/")[1])
                .collect(Collectors.toSet());

        // When
        List<HasMetadata> objects = objects(RevisionSpecFixtures.config(Map.of("ingress.host", "{id}.apps.example.com")),
                RevisionSpecFixtures.plan(RevisionSpecFixtures.commit(null)),
                RuntimeLanguages.of(List.of(RuntimeLanguages.NODE)));

        // Then
        Ingress ingress = objects.stream().filter(Ingress.class::isInstance).map(Ingress.class::cast).findFirst().orElseThrow();
        assertThat(ingress.getSpec().getRules().getFirst().getHttp().getPaths())
                .extracting(HTTPIngressPath::getPath).containsExactlyInAnyOrderElementsOf(described);
        Service service = objects.stream().filter(Service.class::isInstance).map(Service.class::cast).findFirst().orElseThrow();
        assertThat(service.getSpec().getPorts()).extracting("name").containsExactly("http");
    }

    @Test
    void namesAreDnsLabelsWithAPodsSuffix() {
        assertThat(ObjectNames.deployment(RevisionSpecFixtures.DEPLOYMENT)).matches("[a-z][a-z0-9-]{0,62}");
        assertThat(ObjectNames.revision(RevisionSpecFixtures.REVISION) + "-6d4cf56db6-x7k2p").matches("[a-z][a-z0-9-]{0,62}");
        assertThat(ObjectNames.credential(RevisionSpecFixtures.REVISION)).matches("[a-z][a-z0-9-]{0,62}");
    }

    private static DynamicTest golden(String name, Map<String, String> settings, RevisionSpec plan,
            RuntimeLanguages languages) {
        return DynamicTest.dynamicTest(name, () -> compare(name,
                objects(RevisionSpecFixtures.config(settings), plan, languages).stream().map(ManifestsTest::yaml)
                        .collect(Collectors.joining())));
    }

    private static String yaml(HasMetadata object) {
        String text = Serialization.asYaml(object);
        return text.startsWith("---") ? text : "---\n" + text;
    }

    private static void compare(String name, String manifests) throws IOException {
        Path file = Path.of(System.getProperty("waybill.root"), "control-plane/src/test/resources/manifests", name + ".yaml");
        if (Boolean.getBoolean("manifests.update")) {
            Files.writeString(file, manifests);
        }
        assertThat(file).as("run with -Dmanifests.update=true to rewrite it").content().isEqualTo(manifests);
    }

    private static List<HasMetadata> objects(KubernetesEngineConfig config, RevisionSpec plan, RuntimeLanguages languages) {
        Manifests manifests = new Manifests(config);
        ConfigMap root = manifests.root(plan, languages);
        root.getMetadata().setUid("00000000-0000-4000-8000-000000000001");
        String image = plan.source() instanceof Image own ? own.uri() : languages.image(config.images()).orElseThrow();
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(root);
        objects.addAll(manifests.dependents(plan, root));
        objects.add(manifests.deployment(plan, image, root));
        Service service = manifests.service(plan);
        objects.add(service);
        service.getMetadata().setUid("00000000-0000-4000-8000-000000000002");
        manifests.ingress(plan, service).ifPresent(objects::add);
        service.getMetadata().setUid(null);
        root.getMetadata().setUid(null);
        return objects;
    }

    private static PodSpec pod(List<HasMetadata> objects) {
        return objects.stream().filter(Deployment.class::isInstance).map(Deployment.class::cast).findFirst().orElseThrow()
                .getSpec().getTemplate().getSpec();
    }
}
