package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import io.restassured.response.Response;

/** Threat T4: validation must not be usable to scan hosts and ports. */
@ExportServiceTest
class ValidationRateLimitTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    @Inject
    Database database;

    @Test
    void burstIsLimitedToOneMinute() {
        // Given: a rate too low for another permit during this test
        ValidationRateLimit rateLimit = new ValidationRateLimit(database, perMinute(3), Duration.ofDays(30));
        UUID one = UUID.randomUUID();
        UUID other = UUID.randomUUID();

        // When
        for (int i = 0; i < 3; i++) {
            rateLimit.acquire(one).await().indefinitely();
        }

        // Then
        assertThatThrownBy(() -> rateLimit.acquire(one).await().indefinitely()).isInstanceOfSatisfying(ProblemException.class,
                refused -> assertThat(refused.type().status()).isEqualTo(429));
        rateLimit.acquire(other).await().indefinitely();
    }

    @Test
    void everyValidatingRequestReturns429WithRetryAfter() {
        // Given
        Account account = Accounts.account().create();
        Client client = Client.as(account);
        String id = client.post(PATH, DestinationBody.valid().json()).path("id");
        DatabaseRows.update("UPDATE export.validation_pace SET busy_until = now() + interval '1 day' WHERE tenant_id = '"
                + account.workspaceId() + "'");

        // When
        Response created = client.post(PATH, DestinationBody.valid().endpoint("http://10.0.0.1").json());
        Response updated = client.patch(PATH + "/" + id, DestinationBody.valid().update());
        Response tested = client.post(PATH + "/" + id + "/test", "");

        // Then
        assertThat(java.util.List.of(created, updated, tested)).allSatisfy(refused -> {
            assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(429);
            assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(1L, 86_400L);
            assertThat((String) refused.path("detail")).contains("exceeded its limit");
        });
        assertThat(client.get(PATH + "/" + id).statusCode()).isEqualTo(200);
        assertThat(Client.as(Accounts.account().create()).post(PATH, DestinationBody.valid().json()).statusCode())
                .isEqualTo(200);
    }

    private static DestinationConfig perMinute(int validations) {
        return new Settings(false, validations);
    }

    /** The configuration of tests that create their own beans. */
    record Settings(boolean environmentCredentials, int maxValidationsPerMinute) implements DestinationConfig {

        @Override
        public Duration validationTimeout() {
            return Duration.ofSeconds(30);
        }
    }
}
