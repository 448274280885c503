package dev.waybill.controlplane.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.ConcurrentRequests;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/** The limit of webhook deliveries whose signature is being verified. */
@QuarkusTest
class WebhookAuthenticatorTest {

    private static final int MAX_DELIVERIES = 100;

    @Test
    void tooManyUnverifiedDeliveriesReturn429() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                Connection connection = TestDatabase.get().superuser();
                Statement statement = connection.createStatement()) {
            // Given: no delivery can be verified
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE deploy.integrations IN ACCESS EXCLUSIVE MODE");

            // When
            HttpResult rejected = Patience.await().until(
                    () -> ConcurrentRequests.first(clients, MAX_DELIVERIES + 1, WebhookAuthenticatorTest::deliver),
                    response -> response.status() == 429);
            connection.rollback();

            // Then
            assertThat(rejected.header("Retry-After")).isEqualTo("5");
            assertThat(rejected.detail()).contains("Too many webhook deliveries are being verified");
        }
        assertThat(deliver().status()).isEqualTo(401);
    }

    private static HttpResult deliver() {
        return ApiClient.anonymous().header("X-GitHub-Delivery", UUID.randomUUID())
                .header("X-Hub-Signature-256", "sha256=" + "0".repeat(64))
                .post("/v1/integrations/repohost/" + UUID.randomUUID() + "/webhook", "{}");
    }
}
