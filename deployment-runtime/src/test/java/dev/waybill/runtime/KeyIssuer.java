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

/** What of the control plane a runtime sees: it knows every key that begins with {@code issued-} and was not revoked. */
public final class KeyIssuer {

    /** Whose all of those keys are. */
    public static final String WORKSPACE = "01234567-89ab-7def-8123-456789abcdef";

    /** The id that each of them has. */
    public static final String KEY_ID = "01234567-89ab-7def-8123-456789abcde0";

    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Map<String, List<String>> traces = new ConcurrentHashMap<>();
    private final HttpServer server;

    KeyIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/whoami", this::whoami);
        server.createContext("/revoke/", exchange -> {
            revoked.add(exchange.getRequestURI().getPath().substring("/revoke/".length()));
            answer(exchange, 204, "");
        });
        server.createContext("/traces/", exchange -> answer(exchange, 200,
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

    /** Revokes the key; from a test, which is far away from the issuer that the runtime knows. */
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

    /** The traces that the key was asked for in: that of its call, and as long as that lasts, of each look at the key. */
    public static List<String> traceParentsOf(String key) {
        String url = ConfigProvider.getConfig().getValue("waybill.runtime.access.control-plane-url", String.class);
        return RestAssured.get(url + "/traces/" + key).asString().lines().toList();
    }

    private void whoami(HttpExchange exchange) throws IOException {
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
        traces.computeIfAbsent(key, unknown -> new CopyOnWriteArrayList<>())
                .add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
        boolean good = key.startsWith("issued-") && !revoked.contains(key);
        answer(exchange, good ? 200 : 401,
                "{\"organization_id\": \"o\", \"tenant_id\": \"" + WORKSPACE + "\", \"api_key_id\": \"" + KEY_ID + "\"}");
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
