package dev.waybill.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.testing.RawHttp;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

class AuditLogTest {

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void higherRootLevelDoesNotDisableTheAuditLog() throws IOException {
        // Given: the defaults of every service
        Properties settings = new Properties();
        try (InputStream file = AuditLog.class.getResourceAsStream("/META-INF/microprofile-config.properties")) {
            settings.load(file);
        }

        // Then
        assertThat(settings).containsEntry("quarkus.log.category.\"" + AuditLog.CATEGORY + "\".level", "INFO");
    }

    @Test
    void mdcHasWorkspaceButNoAuditFieldsAfterTheResponse() {
        // Given
        UUID tenantId = UUID.randomUUID();
        CompletableFuture<Map<String, Object>> after = new CompletableFuture<>();
        Filters filters = new Filters();
        new AuditLog(Optional::empty).register(filters);
        Router router = Router.router(vertx);
        filters.getFilters().forEach(filter -> router.route().handler(filter.getHandler()));
        router.route().handler(request -> {
            MDC.put(LogKeys.TENANT_ID, tenantId.toString());
            AuditEntry.setActor(request, Actor.apiKey(UUID.randomUUID(), UUID.randomUUID(), tenantId));
            request.response().end("done");
            after.complete(Map.copyOf(MDC.getMap()));
            MDC.clear();
        });
        HttpServer server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();

        // When
        new RawHttp(URI.create("http://127.0.0.1:" + server.actualPort())).send("POST", "/v1/x", Map.of(),
                "{}".getBytes(StandardCharsets.UTF_8));

        // Then
        assertThat(after.join()).containsOnly(Map.entry(LogKeys.TENANT_ID, tenantId.toString()));
    }
}
