package dev.waybill.controlplane.deployment.address;

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
    void hostsUnderTheDomainsAreAllowed(String url) {
        assertThat(urls(true, "agents.example.com", " Apps.Example.COM ").refusal(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://example.com", "https://evilagents.example.com", "https://agents.example.com.evil.net",
            "https://localhost:8100" })
    void otherHostsAreRefused(String url) {
        assertThat(urls(true, "agents.example.com").refusal(url)).hasValue("must have a host under agents.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://support-x.apps.example.com", "https://other-x.APPS.example.com/v1" })
    void addressesThatThePlatformGivesAreRefused(String url) {
        assertThat(urls(true, "apps.example.com").refusal(url))
                .hasValue("must not be an address that the platform gives to deployments");
    }

    @Test
    void withoutDomainsNoneIsAllowed() {
        assertThat(urls(true).refusal("https://agents.example.com"))
                .hasValueSatisfying(why -> assertThat(why).contains("allows no custom domains"));
    }

    @Test
    void theLocalEngineHasNone() {
        assertThat(urls(false, "agents.example.com").refusal("https://agents.example.com"))
                .hasValue("needs the engine kubernetes; leave it out");
    }

    @ParameterizedTest
    @CsvSource({ "https://agents.example.com, agents.example.com", "http://AGENTS.example.com:8443/, agents.example.com",
            "https://agents.example.com/v1/, agents.example.com/v1", "https://agents.example.com/V1, agents.example.com/v1" })
    void spellingsOfOneAddressAreTheSame(String url, String unique) {
        assertThat(CustomUrlPolicy.unique(url)).isEqualTo(unique);
    }

    @ParameterizedTest
    @ValueSource(strings = { "javascript:x", "https://x.example.com:70000", "https://user@x.example.com", "ftp://x",
            "https://x/?q",
            "https://x/#f" })
    void addressesWithMoreAreNotPlain(String url) {
        assertThat(CustomUrlPolicy.isPlain(url)).isFalse();
    }

    private static CustomUrlPolicy urls(boolean kubernetes, String... domains) {
        Optional<Set<String>> allowed = domains.length == 0 ? Optional.empty() : Optional.of(Set.of(domains));
        return new CustomUrlPolicy(new DeploymentStartupCheckTest.Settings(OWN, 1, 2, allowed, false), kubernetes);
    }
}
