package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.export.destination.OpenDestination.Capabilities;
import dev.waybill.export.storage.ObjectSettings;

/** Threat T7: which credentials may sign requests to which endpoint. */
class CredentialRulesTest {

    @ParameterizedTest
    @CsvSource({ "true, https://storage.example.com, eu-central-1", "true, https://storage.example.com,",
            "false, https://storage.example.com,", "false, , eu-central-1", "true, , ", "false, , " })
    void omittedCredentialsRequireAwsRegionAndConfiguration(boolean environmentCredentials, String endpoint, String region) {
        Bucket bucket = new Bucket("s3", "acme-traces", "", region, endpoint, false, ObjectSettings.DEFAULTS);

        assertThatThrownBy(() -> validator(environmentCredentials).validate(UUID.randomUUID(), UUID.randomUUID(), bucket, null)
                .await().indefinitely())
                .isInstanceOfSatisfying(ProblemException.class, refused -> {
                    assertThat(refused.type().status()).isEqualTo(422);
                    assertThat(refused.violations()).extracting(Violation::path).isSubsetOf("credentials", "config.region");
                });
    }

    @Test
    void keysStayBelowThePrefix() {
        OpenDestination open = new OpenDestination(UUID.randomUUID(), null, "acme", null, null,
                new Bucket("s3", "acme", "a/b", null, null, true, ObjectSettings.DEFAULTS).keyPrefix(),
                new Capabilities(true, true, true, true));

        assertThat(open.key("export_id=1/x")).isEqualTo("acme/a/b/export_id=1/x");
        for (String outside : List.of("", "/x", "../x", "x/../../y", "..", "x".repeat(1024))) {
            assertThatThrownBy(() -> open.key(outside)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    // No probe is required: the validator rejects the request before it connects.
    private static CredentialValidator validator(boolean environmentCredentials) {
        return new CredentialValidator(null, null, null, new ValidationRateLimitTest.Settings(environmentCredentials, 30));
    }
}
