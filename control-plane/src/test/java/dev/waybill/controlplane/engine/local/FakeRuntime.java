package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Simulates deployment-runtime; the application's file {@code behaviour} controls it. A top-level class without dependencies,
 * because it runs from its own jar.
 */
public final class FakeRuntime {

    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private FakeRuntime() {
    }

    public static void main(String[] arguments) throws IOException {
        Path application = Path.of(System.getenv("WAYBILL_RUNTIME_DIRECTORY"));
        String behaviour = Files.readString(application.resolve("behaviour")).strip();
        System.out.println("begins as " + behaviour + " with " + System.getenv("SECRET"));
        if (behaviour.contains("crash-at-start")) {
            System.err.println("cannot go on");
            System.exit(7);
        }
        if (behaviour.contains("reports-failure")) {
            Files.writeString(Path.of(System.getenv("WAYBILL_RUNTIME_WORKER_FAILURE_FILE")), """
                    output of the worker
                    {"graph": "agent", "cause": "Graph \\"agent\\" is not there.", "advice": "Export it."}
                    """);
        }
        if (behaviour.contains("ignore-term")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(System.getenv("QUARKUS_HTTP_PORT"))),
                1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/q/health/ready",
                exchange -> respond(exchange,
                        behaviour.contains("never-healthy") || behaviour.contains("reports-failure") ? 503 : 200, ""));
        server.createContext("/version", exchange -> respond(exchange, 200, behaviour));
        server.createContext("/environment",
                exchange -> respond(exchange, 200, String.join("\n", System.getenv().entrySet().stream()
                        .map(Object::toString).toList())));
        server.createContext("/limits",
                exchange -> respond(exchange, 200, Files.readString(Path.of("/proc/self/limits"))));
        server.createContext("/pid", exchange -> respond(exchange, 200, Long.toString(ProcessHandle.current().pid())));
        server.createContext("/crash", _ -> Runtime.getRuntime().halt(9));
        server.createContext("/hold", exchange -> {
            try {
                RELEASED.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            respond(exchange, 200, behaviour);
        });
        server.createContext("/release", exchange -> {
            RELEASED.countDown();
            respond(exchange, 200, "");
        });
        server.createContext("/print", exchange -> {
            System.out.println(exchange.getRequestURI().getQuery());
            respond(exchange, 200, "");
        });
        server.createContext("/flood", exchange -> {
            int lines = Integer.parseInt(exchange.getRequestURI().getQuery());
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= lines; i++) {
                text.append(i).append('\n');
            }
            System.out.print(text);
            respond(exchange, 200, "");
        });
        if (behaviour.contains("leaves-a-child")) {
            new ProcessBuilder("sleep", "600").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
        server.createContext("/echo", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getRequestBody().transferTo(exchange.getResponseBody());
            }
        });
        server.start();
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
