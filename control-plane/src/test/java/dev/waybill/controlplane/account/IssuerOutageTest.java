package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.withToken;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.microprofile.config.ConfigProvider;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@Tag("full")
@QuarkusTest
class IssuerOutageTest {

    /** Longer than the issuer lets its keys be cached, so that the cached copy expires during the outage. */
    private static final Duration OUTAGE = Duration.ofSeconds(4);
    private static final int CALLERS = 6;

    private final Account account = Accounts.account().create();
    private final AtomicInteger number = new AtomicInteger();
    private final Queue<UUID> acknowledged = new ConcurrentLinkedQueue<>();

    @AfterEach
    void recover() throws IOException, InterruptedException {
        issuer("up");
    }

    @ParameterizedTest
    @ValueSource(strings = { "down", "silent" })
    void issuerOutageUnderLoadLosesNothing(String mode) throws Exception {
        // Given
        issuer("up");
        String known = token("rsa");
        String unknown = token("next");
        Patience.await().until(() -> withToken(unknown).get("/v1/whoami").status() == 401);

        // When
        issuer(mode);
        Patience.await().until(() -> withToken(unknown).get("/v1/whoami").status() == 503);
        List<HttpResult> rejected = new ArrayList<>();
        Instant end = Instant.now().plus(OUTAGE);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> load = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                load.add(callers.submit(() -> createUntil(end, known)));
            }
            while (Instant.now().isBefore(end)) {
                rejected.add(withToken(unknown).get("/v1/whoami"));
            }
            for (Future<?> caller : load) {
                caller.get();
            }
        }
        issuer("rotated");

        // Then
        assertThat(rejected).isNotEmpty().allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.header("Retry-After")).isNotNull();
        });
        Patience.await().until(() -> withToken(unknown).get("/v1/whoami").status() == 200);
        assertThat(acknowledged).hasSize(CALLERS).allSatisfy(id -> delete(known, id));
    }

    private void createUntil(Instant end, String token) {
        UUID previous = create(token);
        while (Instant.now().isBefore(end)) {
            UUID next = create(token);
            delete(token, previous);
            previous = next;
        }
        acknowledged.add(previous);
    }

    private UUID create(String token) {
        HttpResult created = withToken(token).post("/v1/api-keys", "{\"name\": \"key %s\", \"workspace_id\": \"%s\"}"
                .formatted(number.incrementAndGet(), account.workspaceId()));
        assertThat(created.status()).as(created.response().asString()).isEqualTo(201);
        return created.id();
    }

    private static void delete(String token, UUID id) {
        assertThat(withToken(token).delete("/v1/api-keys/" + id).status()).isEqualTo(204);
    }

    private String token(String keyId) throws JoseException {
        return SignedToken.rsa(keyId, account.workspaceId(), claims -> claims.setClaim("waybill_role", "admin"));
    }

    private static void issuer(String mode) throws IOException, InterruptedException {
        URI uri = URI.create(ConfigProvider.getConfig().getValue("waybill.test.issuer", String.class) + "/mode");
        try (HttpClient http = HttpClient.newHttpClient()) {
            http.send(HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.ofString(mode)).build(),
                    HttpResponse.BodyHandlers.discarding());
        }
    }
}
