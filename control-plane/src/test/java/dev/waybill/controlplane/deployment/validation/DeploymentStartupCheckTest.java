package dev.waybill.controlplane.deployment.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentStartupCheckTest {

    private static final Optional<String> LOOPBACK = Optional.of("127.0.0.1");

    @ParameterizedTest
    @ValueSource(strings = { "http://localhost:{port}", "https://{name}.apps.example.com",
            "https://apps.example.com/{tenant_id}/{id}",
            "https://{name}-{port}.example.com/agents" })
    void uniqueUrlTemplateIsAccepted(String url) {
        assertThat(problems(url, false, Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "https://{nmae}.example.com/{id}        | has the unknown placeholder {nmae}",
            "https://{name.example.com/{id}         | has the unknown placeholder",
            "{name}.example.com                     | is not an http or https URL",
            "ftp://{name}.example.com               | is not an http or https URL",
            "http://{name} .example.com             | is not an http or https URL",
            "https:///{name}                        | is not an http or https URL",
            "https://apps.example.com               | the same URL",
            "https://apps.example.com/{tenant_id}   | the same URL" })
    void invalidUrlTemplateIsRejected(String url, String reason) {
        assertThat(problems(url, false, Optional.empty())).singleElement().asString()
                .startsWith("waybill.deployment.url ").contains(reason);
    }

    @Test
    void allowFileRequiresLoopbackHost() {
        assertThat(problems("http://localhost:{port}", true, LOOPBACK)).isEmpty();
        assertThat(problems("http://localhost:{port}", true, Optional.of("0.0.0.0"))).singleElement().asString()
                .contains("waybill.source.allow-file", "quarkus.http.host");
        assertThat(problems("http://localhost:{port}", true, Optional.empty())).hasSize(1);
    }

    @Test
    void allProblemsAreReportedTogether() {
        // When
        List<String> problems = DeploymentStartupCheck.problems(new Settings("https://apps.example.com/{what}", 9, 8), true,
                Optional.of("0.0.0.0"), true);
        List<String> ports = DeploymentStartupCheck.problems(new Settings("http://localhost:{port}", 9, 8), false, LOOPBACK,
                true);

        // Then
        assertThat(problems).hasSize(4);
        assertThat(ports).singleElement().asString().contains("first-port");
    }

    private static List<String> problems(String url, boolean allowFile, Optional<String> host) {
        return DeploymentStartupCheck.problems(new Settings(url, 8100, 9999), allowFile, host, false);
    }

    record Settings(String url, int firstPort, int lastPort, Optional<Set<String>> customDomains, boolean requireImageDigest)
            implements
                DeploymentConfig {

        Settings(String url, int firstPort, int lastPort) {
            this(url, firstPort, lastPort, Optional.empty(), false);
        }
    }
}
