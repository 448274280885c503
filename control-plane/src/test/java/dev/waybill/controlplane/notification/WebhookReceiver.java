package dev.waybill.controlplane.notification;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import dev.waybill.common.testing.TestCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;

/** Receives webhooks over TLS on an address that tests permit. */
final class WebhookReceiver implements AutoCloseable {

    private static final String HOST = "127.0.0.2";

    /** A received request. */
    record Received(Map<String, String> headers, String body) {
    }

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    WebhookReceiver() {
        Map<String, String> settings = TestCertificate.settings();
        server = vertx.createHttpServer(new HttpServerOptions().setHost(HOST).setPort(0).setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(settings.get("quarkus.http.ssl.certificate.files"))
                        .setKeyPath(settings.get("quarkus.http.ssl.certificate.key-files"))))
                .requestHandler(request -> request.bodyHandler(body -> {
                    received.add(new Received(request.headers().entries().stream()
                            .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT),
                                    Map.Entry::getValue)),
                            body.toString(StandardCharsets.UTF_8)));
                    request.response().setStatusCode(failures.getAndDecrement() > 0 ? 500 : 204).end();
                }))
                .listen().toCompletionStage().toCompletableFuture().join();
    }

    /** Returns the URL, whose query is secret. */
    String url() {
        return origin() + "/hook?token=canary-of-the-url";
    }

    String origin() {
        return URI.create("https://" + HOST + ":" + server.actualPort()).toString();
    }

    /** Responds to the next requests with 500. */
    void fail(int count) {
        failures.set(count);
    }

    List<Received> received() {
        return received;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
