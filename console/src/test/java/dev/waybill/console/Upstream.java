package dev.waybill.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** A real HTTP server in the place of the services: it checks the key or token, and returns what it received. */
public final class Upstream implements QuarkusTestResourceLifecycleManager {

    public static final String KEY = "wb_0a1b2c3d_test-key-of-a-workspace";
    /** An access token that the services accept. */
    public static final String TOKEN = "e30.e30.c2lnbmF0dXJl";
    /** Enables one-time sign-in codes. */
    public static final String SIGN_IN_KEY = "test-key-for-sign-in-codes";
    public static final String PUBLIC_URL = "https://console.example.com";
    public static final String WORKSPACE = "0193a7c2-0000-7000-8000-000000000001";
    public static final String DEPLOYMENT = "0193a7c2-0000-7000-8000-0000000000d1";
    /** Each permit lets {@code /api/v1/runs/events} send one event. */
    public static final Semaphore EVENTS = new Semaphore(0);

    private HttpServer server;

    @Override
    public Map<String, String> start() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", this::handle);
            server.start();
            String address = "http://127.0.0.1:" + server.getAddress().getPort();
            return Map.of("waybill.console.control-plane-url", address, "waybill.console.experiment-url", address,
                    "waybill.console.sign-in-key", SIGN_IN_KEY, "waybill.console.public-url", PUBLIC_URL + "/",
                    "waybill.console.export-url", "http://127.0.0.1:" + closedPort());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        server.stop(0);
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean isKnown = KEY.equals(exchange.getRequestHeaders().getFirst("X-Api-Key"))
                || ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
        if (!isKnown) {
            respond(exchange, 401, "application/problem+json", "{\"status\": 401, \"detail\": \"unknown key\"}");
        } else if (path.equals("/v1/whoami")) {
            respond(exchange, 200, "application/json", "{\"organization_id\": \"0193a7c2-0000-7000-8000-0000000000aa\","
                    + " \"plan\": \"plus\", \"tenant_id\": \"" + WORKSPACE + "\", \"role\": \"admin\", \"expires_at\": null}");
        } else if (path.equals("/v1/workspaces")) {
            respond(exchange, 200, "application/json",
                    "{\"resources\": [{\"id\": \"" + WORKSPACE + "\", \"name\": \"Test\"}], \"offset\": 1}");
        } else if (path.equals("/v2/deployments/" + DEPLOYMENT)) {
            respond(exchange, 200, "application/json",
                    "{\"url\": \"http://127.0.0.1:" + server.getAddress().getPort() + "/app\"}");
        } else if (path.endsWith("/events")) {
            streamEvents(exchange);
        } else if (path.endsWith("/compressed")) {
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            respond(exchange, 200, "application/json", gzip("{\"compressed\": true}"));
        } else if (path.endsWith("/page")) {
            exchange.getResponseHeaders().add("Set-Cookie", "waybill=stolen");
            exchange.getResponseHeaders().add("Content-Security-Policy", "default-src *");
            respond(exchange, 200, "text/html", "<script>alert(1)</script>");
        } else if (path.startsWith("/v2/deployments/")) {
            respond(exchange, 404, "application/problem+json", "{\"status\": 404}");
        } else {
            echo(exchange);
        }
    }

    /** Returns method, path, headers and the size of the body. */
    private static void echo(HttpExchange exchange) throws IOException {
        long size = 0;
        byte[] buffer = new byte[8192];
        for (int read; (read = exchange.getRequestBody().read(buffer)) >= 0;) {
            size += read;
        }
        Map<String, List<String>> headers = new TreeMap<>(exchange.getRequestHeaders());
        String text = headers.entrySet().stream()
                .map(entry -> "\"" + entry.getKey().toLowerCase(java.util.Locale.ROOT) + "\": \""
                        + entry.getValue().getFirst().replace("\"", "") + "\"")
                .collect(Collectors.joining(", ", "{", "}"));
        respond(exchange, 200, "application/json", "{\"method\": \"" + exchange.getRequestMethod() + "\", \"uri\": \""
                + exchange.getRequestURI() + "\", \"bytes\": " + size + ", \"headers\": " + text + "}");
    }

    private static void streamEvents(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int event = 0; event < 3; event++) {
                EVENTS.acquireUninterruptibly();
                out.write(("data: " + event + "\n\n").getBytes(UTF_8));
                out.flush();
            }
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(UTF_8));
        }
        return compressed.toByteArray();
    }

    private static void respond(HttpExchange exchange, int status, String type, String body) throws IOException {
        respond(exchange, status, type, body.getBytes(UTF_8));
    }

    private static void respond(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
