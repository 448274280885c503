package dev.waybill.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

import com.sun.net.httpserver.HttpServer;

/** An identity provider on loopback: publishes its public keys and lends its private ones to the tests. */
final class TokenIssuer {

    static final String ISSUER = "https://issuer.test";

    private HttpServer server;

    Map<String, String> start() {
        try {
            RsaJsonWebKey rsa = RsaJwkGenerator.generateJwk(2048);
            rsa.setKeyId("rsa");
            EllipticCurveJsonWebKey ec = EcJwkGenerator.generateJwk(EllipticCurves.P256);
            ec.setKeyId("ec");
            serve(new JsonWebKeySet(rsa, ec).toJson());
            return Map.of(
                    "waybill.jwt.issuer", ISSUER,
                    "waybill.jwt.jwks-url", "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks",
                    "waybill.test.jwk.rsa", rsa.toJson(OutputControlLevel.INCLUDE_PRIVATE),
                    "waybill.test.jwk.ec", ec.toJson(OutputControlLevel.INCLUDE_PRIVATE));
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    void stop() {
        server.stop(0);
    }

    private void serve(String keySet) {
        byte[] body = keySet.getBytes(StandardCharsets.UTF_8);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/jwks", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
