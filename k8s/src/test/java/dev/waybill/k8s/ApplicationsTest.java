package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** The control plane's configuration for applications in its cluster. */
class ApplicationsTest {

    static Stream<RenderedManifests> renderings() {
        return RenderedManifests.all();
    }

    static Stream<Arguments> services() {
        return RenderedManifests.all()
                .flatMap(rendering -> ServiceDefinition.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void namespaceAndImagesOfApplicationsExist(RenderedManifests rendering) {
        SmallRyeConfig config = config(rendering);
        KubernetesEngineConfig engine = config.getConfigMapping(KubernetesEngineConfig.class);

        assertThat(config.getRawValue("waybill.engine.kind")).isEqualTo("kubernetes");
        assertThat(rendering.all(Namespace.class).map(namespace -> namespace.getMetadata().getName()))
                .contains(engine.namespace());
        if (!rendering.name().equals("base")) {
            assertThat(rendering.one(Role.class, "control-plane").getMetadata().getNamespace()).isEqualTo(engine.namespace());
        }
        assertThat(engine.images()).containsOnlyKeys("all", "node", "python", "command");
        assertThat(engine.images().values()).allSatisfy(image -> {
            List<String> parts = List.of(image.split("[/:]"));
            assertThat(parts).hasSize(3).last().isEqualTo(ProjectFiles.version());
            assertThat(ProjectFiles.ROOT.resolve("containers/" + parts.get(1) + ".Dockerfile")).matches(Files::exists);
        });
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void deploymentUrlMatchesIngressHost(RenderedManifests rendering) {
        SmallRyeConfig config = config(rendering);
        String host = config.getConfigMapping(KubernetesEngineConfig.class).ingress().host().orElseThrow();

        // Names are unique within a workspace only.
        assertThat(host).contains("{id}");
        assertThat(config.getRawValue("waybill.deployment.url")).isEqualTo("https://" + host);
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void applicationSettingsNameServicesOfCluster(RenderedManifests rendering) {
        Map<String, String> settings = settings(rendering);

        assertThat(settings.keySet()).containsExactlyInAnyOrder("WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL",
                "WAYBILL_RUNTIME_TRACING_URL")
                .allMatch(EnvironmentKeys.of(ServiceDefinition.RUNTIME)::has, "a key of the runtime");
        assertIsAddressOf(rendering, "control-plane", settings.get("WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL"));
        assertIsAddressOf(rendering, "experiment-service", settings.get("WAYBILL_RUNTIME_TRACING_URL"));
    }

    /** Returns the settings as environment variables, named as the engine names them. */
    private static Map<String, String> settings(RenderedManifests rendering) {
        return config(rendering).getConfigMapping(KubernetesEngineConfig.class).settings().entrySet().stream()
                .collect(Collectors.toMap(
                        setting -> setting.getKey().replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT),
                        Map.Entry::getValue));
    }

    private static void assertIsAddressOf(RenderedManifests rendering, String name, String url) {
        URI address = URI.create(url);
        Service service = rendering.one(Service.class, name);
        assertThat(address.getHost()).isEqualTo(service.getMetadata().getName() + ".waybill");
        assertThat(address.getPort()).isEqualTo(service.getSpec().getPorts().getFirst().getPort());
    }

    @ParameterizedTest
    @MethodSource("services")
    void servicesAreConfiguredBehindProxy(RenderedManifests rendering, ServiceDefinition service) {
        assertThat(rendering.one(ConfigMap.class, service.module()).getData())
                .containsEntry("WAYBILL_STARTUP_BEHIND_PROXY", "true");
    }

    /** Reads the configuration as the control plane reads its environment. */
    private static SmallRyeConfig config(RenderedManifests rendering) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(KubernetesEngineConfig.class)
                .withSources(new EnvConfigSource(rendering.one(ConfigMap.class, "control-plane").getData(), 300))
                .build();
    }
}
