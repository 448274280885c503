package dev.waybill.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Trace store with a selectable fault: {@code ok}, {@code hang}, {@code half} (reads a part and closes), {@code picky} (422 for
 * batches with a run named "bad"), or a status. Tests in another class loader control it over HTTP.
 */
public final class TraceStoreStub implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpServer server;
    private final List<JsonNode> rows = new ArrayList<>();
    private final List<Integer> batches = new ArrayList<>();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private String mode = "ok";
    private String key = "";
    private int requestCount;
    private int hanging;

    public TraceStoreStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/runs/batch", this::handle);
        server.createContext("/mode/", exchange -> {
            mode(exchange.getRequestURI().getPath().substring("/mode/".length()));
            respond(exchange, 204, "");
        });
        server.createContext("/rows", exchange -> respond(exchange, 200, MAPPER.writeValueAsString(rows())));
        server.createContext("/traces", exchange -> respond(exchange, 200, String.join("\n", traces)));
        server.createContext("/hanging", exchange -> respond(exchange, 200, String.valueOf(hanging())));
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Sets the fault; requests that hang receive a response when it changes. */
    public synchronized void mode(String value) {
        mode = value;
        notifyAll();
    }

    /** Returns all accepted rows. */
    public synchronized List<JsonNode> rows() {
        return List.copyOf(rows);
    }

    /** Returns the sizes of all complete batches. */
    public synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** Returns the number of requests. */
    public synchronized int requestCount() {
        return requestCount;
    }

    /** Returns the number of hanging requests. */
    public synchronized int hanging() {
        return hanging;
    }

    /** Returns the key of the last request. */
    public synchronized String key() {
        return key;
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (countedIn(exchange).equals("half")) {
            exchange.getRequestBody().read();
            exchange.close();
            return;
        }
        traces.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
        JsonNode batch;
        try (InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
            batch = MAPPER.readTree(body);
        }
        respond(exchange, status((ArrayNode) batch.get("post")), "");
    }

    private synchronized String countedIn(HttpExchange exchange) {
        requestCount++;
        key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
        return mode;
    }

    private synchronized int status(ArrayNode posted) {
        batches.add(posted.size());
        hanging++;
        while (mode.equals("hang")) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 503;
            }
        }
        hanging--;
        boolean bad = posted.valueStream().anyMatch(row -> row.get("name").textValue().equals("bad"));
        int status = switch (mode) {
            case "ok" -> 202;
            case "picky" -> bad ? 422 : 202;
            default -> Integer.parseInt(mode);
        };
        if (status == 202) {
            posted.forEach(rows::add);
        }
        return status;
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        if (status == 429) {
            exchange.getResponseHeaders().add("Retry-After", "1");
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        mode("503");
        server.stop(0);
    }
}
