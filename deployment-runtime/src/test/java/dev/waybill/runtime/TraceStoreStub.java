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
 * A trace store that behaves as badly as it is told: {@code ok}, {@code hang}, {@code half} (reads a part and hangs up),
 * {@code picky} (422 for batches that have a run named "bad"), or a status. Tests in another class loader steer it by HTTP.
 */
public final class TraceStoreStub implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpServer server;
    private final List<JsonNode> rows = new ArrayList<>();
    private final List<Integer> batches = new ArrayList<>();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private String mode = "ok";
    private String key = "";
    private int asked;
    private int held;

    public TraceStoreStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/runs/batch", this::take);
        server.createContext("/mode/", exchange -> {
            mode(exchange.getRequestURI().getPath().substring("/mode/".length()));
            answer(exchange, 204, "");
        });
        server.createContext("/rows", exchange -> answer(exchange, 200, MAPPER.writeValueAsString(rows())));
        server.createContext("/traces", exchange -> answer(exchange, 200, String.join("\n", traces)));
        server.createContext("/held", exchange -> answer(exchange, 200, String.valueOf(held())));
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on; whoever is held is answered when it changes. */
    public synchronized void mode(String value) {
        mode = value;
        notifyAll();
    }

    /** What it has answered 202 for. */
    public synchronized List<JsonNode> rows() {
        return List.copyOf(rows);
    }

    /** How many runs each batch had that came whole. */
    public synchronized List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** How often it was asked, whatever it said. */
    public synchronized int asked() {
        return asked;
    }

    /** How many wait for an answer. */
    public synchronized int held() {
        return held;
    }

    /** The key of the last request. */
    public synchronized String key() {
        return key;
    }

    private void take(HttpExchange exchange) throws IOException {
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
        answer(exchange, status((ArrayNode) batch.get("post")), "");
    }

    private synchronized String countedIn(HttpExchange exchange) {
        asked++;
        key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
        return mode;
    }

    private synchronized int status(ArrayNode posted) {
        batches.add(posted.size());
        held++;
        while (mode.equals("hang")) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 503;
            }
        }
        held--;
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

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
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
