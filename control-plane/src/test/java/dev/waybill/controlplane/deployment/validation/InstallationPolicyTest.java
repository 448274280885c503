package dev.waybill.controlplane.deployment.validation;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.SmallRyeConfigBuilder;

@QuarkusTest
class InstallationPolicyTest {

    private static final String DIGEST = "registry.example.com/acme/agent@sha256:" + "a1".repeat(32);

    @Inject
    CustomUrlPolicy customUrls;

    @Inject
    InstallationPolicy asConfigured;

    @Test
    void tagIsRejectedWhenDigestIsRequired() {
        // Given
        InstallationPolicy rules = new InstallationPolicy(customUrls, new SmallRyeConfigBuilder()
                .withMapping(DeploymentConfig.class)
                .withDefaultValue("waybill.deployment.require-image-digest", "true")
                .build().getConfigMapping(DeploymentConfig.class));

        // When, Then
        assertThat(rules.violations(null, DIGEST)).isEmpty();
        assertThat(rules.violations(null, null)).isEmpty();
        for (String tagged : new String[] { "registry.example.com/acme/agent:1.4", "agent", DIGEST + "0",
                "agent@sha256:abc" }) {
            assertThat(rules.violations(null, tagged)).singleElement().satisfies(violation -> {
                assertThat(violation.path()).isEqualTo("source_revision_config.image_uri");
                assertThat(violation.message()).contains("@sha256:");
            });
        }
    }

    @Test
    void tagIsAcceptedByDefault() {
        assertThat(asConfigured.violations(null, "registry.example.com/acme/agent:1.4")).isEmpty();
    }
}
