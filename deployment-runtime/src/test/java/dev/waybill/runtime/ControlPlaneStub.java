package dev.waybill.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.microprofile.config.ConfigProvider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.restassured.RestAssured;

/** Stub of the control plane's key verification: every key that starts with {@code issued-} is valid until it is revoked. */
public final class ControlPlaneStub {

    /** Workspace of all keys. */
    public static final String WORKSPACE = "01234567-89ab-7def-8123-456789abcdef";

    /** Id of all keys. */
    public static final String KEY_ID = "01234567-89ab-7def-8123-456789abcde0";

    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Map<String, List<String>> traces = new ConcurrentHashMap<>();
    private final HttpServer server;

    ControlPlaneStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/whoami", this::whoami);
        server.createContext("/revoke/", exchange -> {
            revoked.add(exchange.getRequestURI().getPath().substring("/revoke/".length()));
            respond(exchange, 204, "");
        });
        server.createContext("/traces/", exchange -> respond(exchange, 200,
                String.join("\n",
                        traces.getOrDefault(exchange.getRequestURI().getPath().substring("/traces/".length()), List.of()))));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void stop() {
        server.stop(0);
    }

    /** Revokes the key over HTTP, because tests run in another class loader than the stub. */
    public static void revoke(String key) {
        String url = ConfigProvider.getConfig().getValue("waybill.runtime.access.control-plane-url", String.class);
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(HttpRequest.newBuilder(URI.create(url + "/revoke/" + key)).build(),
                    HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the trace contexts of all verifications of the key. */
    public static List<String> traceParentsOf(String key) {
        String url = ConfigProvider.getConfig().getValue("waybill.runtime.access.control-plane-url", String.class);
        return RestAssured.get(url + "/traces/" + key).asString().lines().toList();
    }

    private void whoami(HttpExchange exchange) throws IOException {
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
        traces.computeIfAbsent(key, unknown -> new CopyOnWriteArrayList<>())
                .add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
        boolean good = key.startsWith("issued-") && !revoked.contains(key);
        respond(exchange, good ? 200 : 401,
                "{\"organization_id\": \"o\", \"tenant_id\": \"" + WORKSPACE + "\", \"api_key_id\": \"" + KEY_ID + "\"}");
    }

    private static void respond(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
