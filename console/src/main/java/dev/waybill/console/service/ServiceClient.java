package dev.waybill.console.service;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Map;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.console.ConsoleConfig;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;

/** Calls the services: one connection pool for the proxy and for the console's own requests. */
@Singleton
public class ServiceClient {

    /** Each open stream holds a connection. */
    private static final int MAX_CONNECTIONS = 1024;
    private static final int CONNECT_TIMEOUT_MS = 3_000;
    /** Longer than the longest poll of the services. */
    private static final int IDLE_TIMEOUT_SECONDS = 120;
    private static final long REQUEST_TIMEOUT_MS = 10_000;

    private final HttpClient client;
    private final Map<Service, URI> addresses;

    ServiceClient(Vertx vertx, ConsoleConfig config) {
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setMaxPoolSize(MAX_CONNECTIONS)
                .setConnectTimeout(CONNECT_TIMEOUT_MS)
                .setIdleTimeout(IDLE_TIMEOUT_SECONDS)
                .setDecompressionSupported(false));
        this.addresses = Map.of(Service.CONTROL_PLANE, config.controlPlaneUrl(), Service.EXPORT, config.exportUrl(),
                Service.EXPERIMENT, config.experimentUrl());
    }

    @PreDestroy
    void close() {
        client.close();
    }

    /** Returns the pool of connections to services and deployed applications. */
    public HttpClient client() {
        return client;
    }

    /** Returns the configured address. */
    public URI address(Service service) {
        return requireNonNull(addresses.get(service));
    }

    /**
     * Reads a JSON resource of a service.
     *
     * @param workspace value of {@code X-Tenant-Id}; null to send none
     */
    public Future<Reply> get(Service service, String path, Credential credential, @Nullable String workspace) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(address(service).resolve(path).toString())
                .setTimeout(REQUEST_TIMEOUT_MS)
                .putHeader("Accept", "application/json");
        credential.addTo(options.getHeaders());
        if (workspace != null) {
            options.putHeader("X-Tenant-Id", workspace);
        }
        return client.request(options).compose(request -> request.send()).compose(
                response -> response.body()
                        .map(body -> new Reply(response.statusCode(), response.headers(), parse(body.toString()))));
    }

    private static JsonObject parse(String body) {
        return body.startsWith("{") ? new JsonObject(body) : new JsonObject();
    }

    /** The response of a service. */
    public record Reply(int status, MultiMap headers, JsonObject body) {
    }
}
