package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.common.api.export.CreateDestinationRequest;
import dev.waybill.common.api.export.DestinationResponse;
import dev.waybill.common.api.export.DestinationType;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.secret.SecretCipher;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.storage.ObjectStoreFactory;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;

/**
 * Tests the service's own credentials in installations that provide them (interface.md 4.2 rule 3, threat T7). The SDK finds
 * them in system properties, which also define the endpoint that replaces AWS.
 */
@ExportServiceTest
class ServiceCredentialsTest {

    private static final Map<String, String> PROPERTIES = Map.of("aws.accessKeyId", "access-key-id", "aws.secretAccessKey",
            "secret-access-key", "aws.endpointUrlS3", "endpoint");

    private final UUID tenantId = Accounts.account().create().workspaceId();

    @Inject
    Database database;

    @Inject
    DestinationRepository repository;

    @Inject
    DestinationProbe probe;

    @Inject
    ValidationRateLimit rateLimit;

    @Inject
    DestinationUsage usage;

    @Inject
    ObjectStoreFactory stores;

    @Inject
    AddressGuard guard;

    @Inject
    SecretCipher cipher;

    @Inject
    ObjectMapper json;

    @Inject
    Ids ids;

    @BeforeEach
    void setProperties() {
        PROPERTIES.forEach((property, setting) -> System.setProperty(property, DestinationBody.setting(setting)));
    }

    @AfterEach
    void clearProperties() {
        PROPERTIES.keySet().forEach(System::clearProperty);
    }

    @Test
    void destinationWithoutCredentialsUsesServiceCredentials() {
        try (Bucket bucket = new Bucket()) {
            // When
            DestinationResponse created = create(true);

            // Then
            assertThat(created.credentialsKeys()).isEmpty();
            assertThat(DatabaseRows
                    .text("SELECT id FROM export.destinations WHERE id = '" + created.id() + "' AND credentials IS NULL"
                            + " AND may_read AND may_delete AND may_abort"))
                    .hasSize(1);
            try (OpenDestination open = open(true, created.id())) {
                String key = open.key("own.txt");
                open.store().put(key, "own".getBytes(StandardCharsets.UTF_8), "text/plain").await()
                        .atMost(Duration.ofMinutes(2));
                assertThat(bucket.get(key)).asString(StandardCharsets.UTF_8).isEqualTo("own");
            }
        }
    }

    @Test
    void openFailsOnceServiceCredentialsAreDisabled() {
        // Given
        UUID id = create(true).id();

        // When / Then
        assertThatThrownBy(() -> open(false, id)).isInstanceOfSatisfying(StorageException.class,
                refused -> assertThat(refused.problem()).isEqualTo(StorageProblem.NOT_LENT));
    }

    @Test
    void testReturns400OnceServiceCredentialsAreDisabled() {
        // Given: a service that does not provide its own credentials
        var account = Accounts.account().create();
        String id = Client.as(account).post("/api/v1/bulk-exports/destinations", DestinationBody.valid().json()).path("id");
        DatabaseRows.update("UPDATE export.destinations SET credentials = NULL, credentials_keys = '{}', endpoint_url = NULL,"
                + " region = 'us-east-1' WHERE id = '" + id + "'");

        // When
        var refused = Client.as(account).post("/api/v1/bulk-exports/destinations/" + id + "/test", "");

        // Then
        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(400);
        assertThat((String) refused.path("title")).isEqualTo("Access denied");
        assertThat((String) refused.path("step")).isEqualTo("signature");
        assertThat((String) refused.path("detail")).contains("does not provide");
    }

    private DestinationResponse create(boolean environmentCredentials) {
        CredentialValidator validator = new CredentialValidator(probe, encryptor(environmentCredentials), rateLimit,
                new ValidationRateLimitTest.Settings(environmentCredentials, 30));
        return new DestinationService(database, repository, validator, usage, ids)
                .create(tenantId, new CreateDestinationRequest(DestinationType.S3, "Own credentials",
                        new BucketLocation(Bucket.name(), "t" + UUID.randomUUID(), "us-east-1", null, null, null, null), null))
                .await().atMost(Duration.ofMinutes(2));
    }

    private OpenDestination open(boolean environmentCredentials, UUID id) {
        return new DestinationOpener(database, repository, encryptor(environmentCredentials), stores, guard).open(tenantId, id)
                .await().atMost(Duration.ofMinutes(2));
    }

    private CredentialEncryptor encryptor(boolean environmentCredentials) {
        return new CredentialEncryptor(cipher, json, new ValidationRateLimitTest.Settings(environmentCredentials, 30));
    }
}
