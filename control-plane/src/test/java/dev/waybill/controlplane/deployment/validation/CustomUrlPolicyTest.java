package dev.waybill.controlplane.deployment.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomUrlPolicyTest {

    private static final String OWN = "https://{name}-x.apps.example.com";

    @ParameterizedTest
    @ValueSource(strings = { "https://agents.example.com", "https://support.agents.example.com/v1",
            "https://AGENTS.example.com",
            "https://apps.example.com" })
    void hostsUnderDomainsAreAllowed(String url) {
        assertThat(urls(true, "agents.example.com", " Apps.Example.COM ").validationError(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://example.com", "https://evilagents.example.com", "https://agents.example.com.evil.net",
            "https://localhost:8100" })
    void otherHostsAreRejected(String url) {
        assertThat(urls(true, "agents.example.com").validationError(url)).hasValue("must have a host under agents.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://support-x.apps.example.com", "https://other-x.APPS.example.com/v1" })
    void platformUrlsAreRejected(String url) {
        assertThat(urls(true, "apps.example.com").validationError(url))
                .hasValue("must not be a URL that the platform assigns to deployments");
    }

    @Test
    void allUrlsAreRejectedWithoutDomains() {
        assertThat(urls(true).validationError("https://agents.example.com"))
                .hasValueSatisfying(why -> assertThat(why).contains("allows no custom domains"));
    }

    @Test
    void localEngineRejectsAllUrls() {
        assertThat(urls(false, "agents.example.com").validationError("https://agents.example.com"))
                .hasValue("requires the engine kubernetes; remove it");
    }

    @ParameterizedTest
    @CsvSource({ "https://agents.example.com, agents.example.com", "http://AGENTS.example.com:8443/, agents.example.com",
            "https://agents.example.com/v1/, agents.example.com/v1", "https://agents.example.com/V1, agents.example.com/v1" })
    void equivalentUrlsHaveSameUniqueKey(String url, String uniqueKey) {
        assertThat(CustomUrlPolicy.uniqueKey(url)).isEqualTo(uniqueKey);
    }

    @ParameterizedTest
    @ValueSource(strings = { "javascript:x", "https://x.example.com:70000", "https://user@x.example.com", "ftp://x",
            "https://x/?q",
            "https://x/#f" })
    void urlsWithOtherPartsAreNotPlain(String url) {
        assertThat(CustomUrlPolicy.isPlainUrl(url)).isFalse();
    }

    private static CustomUrlPolicy urls(boolean kubernetes, String... domains) {
        Optional<Set<String>> allowed = domains.length == 0 ? Optional.empty() : Optional.of(Set.of(domains));
        return new CustomUrlPolicy(new DeploymentStartupCheckTest.Settings(OWN, 1, 2, allowed, false), kubernetes);
    }
}
