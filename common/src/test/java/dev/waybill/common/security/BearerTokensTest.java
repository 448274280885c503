package dev.waybill.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;

class BearerTokensTest {

    private HttpServer issuer;

    @BeforeEach
    void start() throws IOException {
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/", exchange -> {
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        issuer.start();
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    @Test
    void returns503WhileTheKeySetIsUnavailable() throws JoseException {
        // Given
        ApiKeyLookup keys = new ApiKeyLookup(null, new Keys(Duration.ofSeconds(1)), Clock.systemUTC());
        BearerTokens tokens = new BearerTokens(keys, new Blocking(), new Issuer(issuer.getAddress().getPort()));

        // When
        ProblemException rejection = catchThrowableOfType(ProblemException.class,
                () -> tokens.caller(token(), null).await().atMost(Duration.ofMinutes(2)));

        // Then
        assertThat(rejection.type()).isEqualTo(CommonProblem.UNAVAILABLE);
    }

    private static String token() throws JoseException {
        RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        token.setPayload("{}");
        token.setKey(key.getPrivateKey());
        return token.getCompactSerialization();
    }

    private record Keys(Duration cacheTtl) implements KeysConfig {
    }

    private record Issuer(int port) implements JwtConfig {

        @Override
        public Optional<String> issuer() {
            return Optional.of("https://issuer.test");
        }

        @Override
        public Optional<String> jwksUrl() {
            return Optional.of("http://127.0.0.1:" + port + "/jwks");
        }

        @Override
        public Optional<String> audience() {
            return Optional.empty();
        }

        @Override
        public String roleClaim() {
            return "role";
        }
    }
}
