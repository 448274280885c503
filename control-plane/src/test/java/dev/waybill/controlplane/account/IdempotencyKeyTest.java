package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.operator;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/** {@code Idempotency-Key} (contract.md "Everywhere"), the same for every service. */
@QuarkusTest
class IdempotencyKeyTest {

    private static final String KEYS = "/v1/api-keys";
    private static final String BODY = "{\"name\": \"CI\", \"role\": \"member\"}";

    private final Account admin = Accounts.account().organizationWide().create();
    private final String key = UUID.randomUUID().toString();

    @Test
    void repeatedKeyReturnsFirstResult() {
        // Given
        HttpResult first = post(KEYS, BODY);

        // When
        HttpResult again = post(KEYS, "{ \"role\": \"member\", \"unknown\": 1, \"name\": \"CI\" }");

        // Then
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(withKey(again.text("key")).get("/v1/whoami").status()).isEqualTo(200);
        assertThat(made()).isEqualTo(1);
    }

    @Test
    void repeatedKeyWithOtherBodyIsInvalid() {
        // Given
        post(KEYS, BODY);

        // When
        HttpResult response = post(KEYS, "{\"name\": \"other\"}");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc.flatten()", String.class)).containsExactly("Idempotency-Key");
        assertThat(made()).isEqualTo(1);
    }

    @Test
    void oneOfTwentyConcurrentRequestsCreates() throws Exception {
        // Given
        Callable<HttpResult> create = () -> post(KEYS, BODY);

        // When
        List<HttpResult> responses;
        try (ExecutorService clients = Executors.newFixedThreadPool(20)) {
            responses = clients.invokeAll(Collections.nCopies(20, create)).stream().map(Future::resultNow).toList();
        }

        // Then
        assertThat(responses).extracting(HttpResult::status).isSubsetOf(201, 409).contains(201);
        assertThat(responses).filteredOn(response -> response.status() == 409)
                .allSatisfy(response -> assertThat(response.header("Retry-After")).isEqualTo("1"));
        assertThat(responses).filteredOn(response -> response.status() == 201)
                .extracting(HttpResult::id).containsOnly(post(KEYS, BODY).id());
        assertThat(made()).isEqualTo(1);
    }

    @Test
    void failedRequestReleasesItsKey() {
        // Given
        as(admin).newWorkspace("taken");
        assertThat(post("/v1/workspaces", "{\"name\": \"taken\"}").status()).isEqualTo(409);

        // When
        HttpResult response = post("/v1/workspaces", "{\"name\": \"free\"}");

        // Then
        assertThat(response.status()).isEqualTo(201);
    }

    @Test
    void keyIsScopedToPathAndWorkspace() {
        // Given
        UUID first = post("/v1/workspaces", "{\"name\": \"CI\"}").id();

        // When
        HttpResult otherPath = post(KEYS, BODY);
        HttpResult otherWorkspace = as(admin).in(admin.workspaceId()).header("Idempotency-Key", key).post(KEYS, BODY);

        // Then
        assertThat(otherPath.status()).isEqualTo(201);
        assertThat(otherWorkspace.status()).isEqualTo(201);
        assertThat(List.of(otherPath.id(), otherWorkspace.id())).doesNotContain(first).doesNotHaveDuplicates();
    }

    @Test
    void workspaceAdminCannotReplayOrganizationResponse() {
        // Given
        Account bound = Accounts.account().inWorkspaceOf(admin).create();
        as(admin).in(admin.workspaceId()).header("Idempotency-Key", key).post(KEYS, BODY);

        // When
        HttpResult response = as(bound).header("Idempotency-Key", key).post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.body()).doesNotContain("\"key\"");
    }

    @Test
    void operatorRequestsAreIdempotent() {
        // When
        HttpResult first = operator().header("Idempotency-Key", key).post("/v1/organizations", "{\"name\": \"Acme\"}");
        HttpResult again = operator().header("Idempotency-Key", key).post("/v1/organizations", "{\"name\": \"Acme\"}");

        // Then
        assertThat(again.body()).isEqualTo(first.body());
    }

    @Test
    void requestThatFailedBeforeCommitIsExecutedAgain() {
        // Given
        post(KEYS, BODY);
        DatabaseInspector.update("UPDATE account.idempotency_keys SET answer = NULL, created_id = NULL, lease_until = now()"
                + " WHERE key = '" + key + "'");

        // When
        HttpResult response = post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("Idempotent-Replayed")).isNull();
        assertThat(post(KEYS, BODY).body()).isEqualTo(response.body());
    }

    @Test
    void repetitionAfterCrashReturnsLeaseEndAsRetryAfter() {
        // Given: a lease of one minute that has partly elapsed
        post(KEYS, BODY);
        DatabaseInspector.update("UPDATE account.idempotency_keys SET answer = NULL, created_id = NULL,"
                + " lease_until = now() + interval '50 seconds' WHERE key = '" + key + "'");

        // When
        HttpResult response = post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(409);
        assertThat(Integer.parseInt(response.header("Retry-After"))).isBetween(2, 51);
    }

    @Test
    void committedRequestIsNotExecutedAgain() {
        // Given
        UUID created = post(KEYS, BODY).id();
        DatabaseInspector
                .update("UPDATE account.idempotency_keys SET answer = NULL, lease_until = now() WHERE key = '" + key + "'");

        // When
        HttpResult response = post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.text("created_id")).isEqualTo(created.toString());
        assertThat(made()).isEqualTo(1);
    }

    @Test
    void keyExpiresAfterOneDay() {
        // Given
        UUID first = post(KEYS, BODY).id();
        DatabaseInspector.update("UPDATE account.idempotency_keys SET expires_at = now() WHERE key = '" + key + "'");

        // When
        HttpResult response = post(KEYS, "{\"name\": \"another\"}");

        // Then
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.id()).isNotEqualTo(first);
    }

    @Test
    void malformedKeyIsInvalid() {
        // When
        HttpResult response = as(admin).header("Idempotency-Key", "k".repeat(256)).post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(made()).isZero();
    }

    @Test
    void invalidRequestDoesNotStoreKey() {
        // Given
        assertThat(post(KEYS, "{}").status()).isEqualTo(422);

        // When
        HttpResult response = post(KEYS, BODY);

        // Then
        assertThat(response.status()).isEqualTo(201);
    }

    private HttpResult post(String path, String body) {
        return client().post(path, body);
    }

    private ApiClient client() {
        return as(admin).header("Idempotency-Key", key);
    }

    private long made() {
        return DatabaseInspector.count("SELECT count(*) FROM account.api_keys WHERE name = 'CI' AND organization_id = '"
                + admin.organizationId() + "'");
    }
}
