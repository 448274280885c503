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

/** What services are told in a cluster is what they listen to. */
class ConfigurationTest {

    static Stream<Arguments> services() {
        return Rendering.all()
                .flatMap(rendering -> ServiceFacts.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("services")
    void everyVariableIsAKeyOfTheService(Rendering rendering, ServiceFacts facts) {
        EnvironmentKeys keys = EnvironmentKeys.of(facts);
        List<String> variables = Stream.concat(
                rendering.one(ConfigMap.class, facts.module()).getData().keySet().stream(),
                container(rendering, facts).getEnv().stream().map(EnvVar::getName))
                .toList();

        assertThat(variables).hasSizeGreaterThanOrEqualTo(4).allMatch(keys::has);
    }

    @ParameterizedTest
    @MethodSource("services")
    void isToldItsOwnConfigurationMap(Rendering rendering, ServiceFacts facts) {
        String name = rendering.one(ConfigMap.class, facts.module()).getMetadata().getName();

        assertThat(container(rendering, facts).getEnvFrom().stream().map(EnvFromSource::getConfigMapRef)
                .filter(Objects::nonNull))
                .singleElement()
                .satisfies(map -> assertThat(map.getName()).isEqualTo(name));
    }

    @ParameterizedTest
    @MethodSource("services")
    void everySecretIsExplained(Rendering rendering, ServiceFacts facts) {
        String readme = Project.text("k8s/README.md");
        List<String> secrets = Stream.concat(
                container(rendering, facts).getEnvFrom().stream().map(EnvFromSource::getSecretRef).filter(Objects::nonNull)
                        .map(secret -> secret.getName()),
                container(rendering, facts).getEnv().stream()
                        .map(variable -> variable.getValueFrom().getSecretKeyRef().getName()))
                .distinct().toList();

        assertThat(secrets).contains(facts.module() + "-database", facts.module() + "-encryption")
                .allSatisfy(secret -> assertThat(readme).contains("| `" + secret + "` |"));
    }

    @Test
    void whatSecretsAreSaidToHoldIsReadToo() {
        assertThat(Stream.of("WAYBILL_ENCRYPTION_CURRENT", "WAYBILL_ENCRYPTION_KEYS_K1", "WAYBILL_OPERATOR_KEY",
                "WAYBILL_BOOTSTRAP_API_KEY")
                .filter(variable -> !EnvironmentKeys.of(ServiceFacts.CONTROL_PLANE).has(variable)))
                .isEmpty();
    }

    @Test
    void aVariableThatNobodyReadsIsFound() {
        EnvironmentKeys keys = EnvironmentKeys.of(ServiceFacts.EXPORT);

        assertThat(keys.has("WAYBILL_EXPORT_LIMITS_RUNNING_EXPORTS")).isTrue();
        assertThat(keys.has("WAYBILL_EXPORT_LIMITS_RUNING_EXPORTS")).isFalse();
        // Another service's, and one that is fixed when the service is built.
        assertThat(keys.has("WAYBILL_UPLOAD_MAX_DISK")).isFalse();
        assertThat(keys.has("QUARKUS_DATASOURCE_DB_KIND")).isFalse();
    }

    private static Container container(Rendering rendering, ServiceFacts facts) {
        return rendering.one(Deployment.class, facts.module()).getSpec().getTemplate().getSpec().getContainers().getFirst();
    }
}
