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

/** What the control plane is told lets it run applications in the cluster that it is in. */
class ApplicationsTest {

    static Stream<Rendering> renderings() {
        return Rendering.all();
    }

    static Stream<Arguments> services() {
        return Rendering.all()
                .flatMap(rendering -> ServiceFacts.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void applicationsRunInTheirNamespaceWithOurImages(Rendering rendering) {
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
            assertThat(parts).hasSize(3).last().isEqualTo(Project.version());
            assertThat(Project.ROOT.resolve("containers/" + parts.get(1) + ".Dockerfile")).matches(Files::exists);
        });
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void applicationsAreReachedWhereTheyAreSaidToBe(Rendering rendering) {
        SmallRyeConfig config = config(rendering);
        String host = config.getConfigMapping(KubernetesEngineConfig.class).ingress().host().orElseThrow();

        // A name is unique in its workspace only.
        assertThat(host).contains("{id}");
        assertThat(config.getRawValue("waybill.deployment.url")).isEqualTo("https://" + host);
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void applicationsAskTheControlPlaneForKeysAndTraceToExperimentService(Rendering rendering) {
        Map<String, String> told = told(rendering);

        assertThat(told.keySet()).containsExactlyInAnyOrder("WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL",
                "WAYBILL_RUNTIME_TRACING_URL")
                .allMatch(EnvironmentKeys.of(ServiceFacts.RUNTIME)::has, "a key of the runtime");
        assertIsAddressOf(rendering, "control-plane", told.get("WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL"));
        assertIsAddressOf(rendering, "experiment-service", told.get("WAYBILL_RUNTIME_TRACING_URL"));
    }

    /** As the engine makes variables of names. */
    private static Map<String, String> told(Rendering rendering) {
        return config(rendering).getConfigMapping(KubernetesEngineConfig.class).settings().entrySet().stream()
                .collect(Collectors.toMap(
                        setting -> setting.getKey().replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT),
                        Map.Entry::getValue));
    }

    private static void assertIsAddressOf(Rendering rendering, String name, String url) {
        URI address = URI.create(url);
        Service service = rendering.one(Service.class, name);
        assertThat(address.getHost()).isEqualTo(service.getMetadata().getName() + ".waybill");
        assertThat(address.getPort()).isEqualTo(service.getSpec().getPorts().getFirst().getPort());
    }

    @ParameterizedTest
    @MethodSource("services")
    void servicesSayThatTlsEndsBeforeThem(Rendering rendering, ServiceFacts facts) {
        assertThat(rendering.one(ConfigMap.class, facts.module()).getData())
                .containsEntry("WAYBILL_STARTUP_BEHIND_PROXY", "true");
    }

    /** As the control plane reads its environment. */
    private static SmallRyeConfig config(Rendering rendering) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(KubernetesEngineConfig.class)
                .withSources(new EnvConfigSource(rendering.one(ConfigMap.class, "control-plane").getData(), 300))
                .build();
    }
}
