package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Compares the environment of the services with the configuration keys that they read. */
class ConfigurationTest {

    static Stream<Arguments> services() {
        return RenderedManifests.all()
                .flatMap(rendering -> ServiceDefinition.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("services")
    void everyVariableIsAKeyOfTheService(RenderedManifests rendering, ServiceDefinition service) {
        EnvironmentKeys keys = EnvironmentKeys.of(service);
        List<String> variables = Stream.concat(
                rendering.one(ConfigMap.class, service.module()).getData().keySet().stream(),
                container(rendering, service).getEnv().stream().map(EnvVar::getName))
                .toList();

        assertThat(variables).hasSizeGreaterThanOrEqualTo(4).allMatch(keys::has);
    }

    @ParameterizedTest
    @MethodSource("services")
    void containerReadsItsConfigMap(RenderedManifests rendering, ServiceDefinition service) {
        String name = rendering.one(ConfigMap.class, service.module()).getMetadata().getName();

        assertThat(container(rendering, service).getEnvFrom().stream().map(EnvFromSource::getConfigMapRef)
                .filter(Objects::nonNull))
                .singleElement()
                .satisfies(map -> assertThat(map.getName()).isEqualTo(name));
    }

    @ParameterizedTest
    @MethodSource("services")
    void everySecretIsDocumented(RenderedManifests rendering, ServiceDefinition service) {
        String readme = ProjectFiles.text("k8s/README.md");
        List<String> secrets = Stream.concat(
                container(rendering, service).getEnvFrom().stream().map(EnvFromSource::getSecretRef).filter(Objects::nonNull)
                        .map(secret -> secret.getName()),
                container(rendering, service).getEnv().stream()
                        .map(variable -> variable.getValueFrom().getSecretKeyRef().getName()))
                .distinct().toList();

        assertThat(secrets)
                .contains(service == ServiceDefinition.CONSOLE ? new String[] { "console-session" }
                        : new String[] { service.module() + "-database", service.module() + "-encryption" })
                .allSatisfy(secret -> assertThat(readme).contains("| `" + secret + "` |"));
    }

    @Test
    void documentedSecretVariablesAreKeys() {
        assertThat(Stream.of("WAYBILL_ENCRYPTION_CURRENT", "WAYBILL_ENCRYPTION_KEYS_K1", "WAYBILL_OPERATOR_KEY",
                "WAYBILL_BOOTSTRAP_API_KEY")
                .filter(variable -> !EnvironmentKeys.of(ServiceDefinition.CONTROL_PLANE).has(variable)))
                .isEmpty();
        assertThat(Stream.of("WAYBILL_CONSOLE_SESSION_KEY", "WAYBILL_CONSOLE_SESSION_PREVIOUS_KEY"))
                .allMatch(EnvironmentKeys.of(ServiceDefinition.CONSOLE)::has);
    }

    @Test
    void unknownVariableIsDetected() {
        EnvironmentKeys keys = EnvironmentKeys.of(ServiceDefinition.EXPORT);

        assertThat(keys.has("WAYBILL_EXPORT_LIMITS_RUNNING_EXPORTS")).isTrue();
        assertThat(keys.has("WAYBILL_EXPORT_LIMITS_RUNING_EXPORTS")).isFalse();
        // A key of another service, and a build-time key.
        assertThat(keys.has("WAYBILL_UPLOAD_MAX_DISK")).isFalse();
        assertThat(keys.has("QUARKUS_DATASOURCE_DB_KIND")).isFalse();
    }

    private static Container container(RenderedManifests rendering, ServiceDefinition service) {
        return rendering.one(Deployment.class, service.module()).getSpec().getTemplate().getSpec().getContainers().getFirst();
    }
}
