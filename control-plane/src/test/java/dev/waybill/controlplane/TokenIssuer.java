package dev.waybill.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An identity provider on loopback: publishes its public keys and passes its private keys to the tests. {@code PUT
 * /mode} makes {@code /jwks} respond normally ({@code up}), close connections ({@code down}) or never respond ({@code
 * silent}); the key {@code next} is published only after {@code rotated}.
 */
final class TokenIssuer {

    static final String ISSUER = "https://issuer.test";

    private HttpServer server;

    Map<String, String> start() {
        try {
            RsaJsonWebKey rsa = RsaJwkGenerator.generateJwk(2048);
            rsa.setKeyId("rsa");
            EllipticCurveJsonWebKey ec = EcJwkGenerator.generateJwk(EllipticCurves.P256);
            ec.setKeyId("ec");
            RsaJsonWebKey next = RsaJwkGenerator.generateJwk(2048);
            next.setKeyId("next");
            serve(new JsonWebKeySet(rsa, ec).toJson(), new JsonWebKeySet(rsa, ec, next).toJson());
            return Map.of(
                    "waybill.jwt.issuer", ISSUER,
                    "waybill.jwt.jwks-url", "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks",
                    "waybill.test.jwk.rsa", rsa.toJson(OutputControlLevel.INCLUDE_PRIVATE),
                    "waybill.test.issuer", "http://127.0.0.1:" + server.getAddress().getPort(),
                    "waybill.test.jwk.ec", ec.toJson(OutputControlLevel.INCLUDE_PRIVATE),
                    "waybill.test.jwk.next", next.toJson(OutputControlLevel.INCLUDE_PRIVATE));
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    void stop() {
        server.stop(0);
    }

    private void serve(String keySet, String rotated) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        AtomicReference<String> mode = new AtomicReference<>("up");
        server.createContext("/mode", exchange -> {
            mode.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.createContext("/jwks", exchange -> {
            switch (mode.get()) {
                case "down" -> exchange.close();
                case "silent" -> {
                    // The connection stays open without a response.
                }
                case "rotated" -> respond(exchange, rotated);
                default -> respond(exchange, keySet);
            }
        });
        server.start();
    }

    private static void respond(HttpExchange exchange, String keySet) throws IOException {
        byte[] body = keySet.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        // Cached copies expire during an outage of the issuer.
        exchange.getResponseHeaders().add("Cache-Control", "max-age=1");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
