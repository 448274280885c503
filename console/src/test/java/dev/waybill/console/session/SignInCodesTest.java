package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.waybill.console.ConsoleConfig;

class SignInCodesTest {

    private static final String API_KEY = "wb_0a1b2c3d_key";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T12:00:00Z"));
    private final Clock clock = clock(now);
    private final SignInCodes codes = codes("a-random-key", "127.0.0.1");

    @Test
    void codeIsAcceptedOnce() {
        String code = codes.create(API_KEY);

        assertThat(codes.redeem(code)).contains(API_KEY);
        assertThat(codes.redeem(code)).isEmpty();
    }

    @Test
    void codeExpiresAfterFiveMinutes() {
        String late = codes.create(API_KEY);
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(5)));
        assertThat(codes.redeem(late)).isEmpty();

        String inTime = codes.create(API_KEY);
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(5)).minusMillis(1));
        assertThat(codes.redeem(inTime)).contains(API_KEY);
    }

    @Test
    void unknownCodeIsRejected() {
        codes.create(API_KEY);

        assertThat(codes.redeem("")).isEmpty();
        assertThat(codes.redeem("A".repeat(43))).isEmpty();
        assertThat(codes.redeem(API_KEY)).isEmpty();
    }

    @Test
    void codesHave256RandomBits() {
        Set<String> created = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            created.add(codes.create(API_KEY));
        }

        assertThat(created).hasSize(50)
                .allSatisfy(code -> assertThat(Base64.getUrlDecoder().decode(code)).hasSize(32));
    }

    @Test
    void oldestCodesAreDropped() {
        String first = codes.create(API_KEY);
        for (int i = 0; i < 100; i++) {
            codes.create(API_KEY);
        }

        assertThat(codes.redeem(first)).isEmpty();
    }

    @Test
    void onlyTheConfiguredKeyIsAccepted() {
        assertThat(codes.isKey("a-random-key")).isTrue();
        assertThat(codes.isKey("another-key")).isFalse();
        assertThat(codes(null, "127.0.0.1").isKey("")).isFalse();
        assertThat(codes(" ", "127.0.0.1").isEnabled()).isFalse();
    }

    @Test
    void consoleOnOtherAddressesDoesNotStartWithTheKey() {
        assertThat(codes(null, "0.0.0.0").isEnabled()).isFalse();
        assertThatThrownBy(() -> codes("a-random-key", "0.0.0.0")).hasMessageContaining("waybill.console.sign-in-key")
                .hasMessageNotContaining("a-random-key");
    }

    private SignInCodes codes(String key, String host) {
        return new SignInCodes(new ConsoleConfig() {
            @Override
            public URI controlPlaneUrl() {
                throw new UnsupportedOperationException();
            }

            @Override
            public URI exportUrl() {
                throw new UnsupportedOperationException();
            }

            @Override
            public URI experimentUrl() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Optional<URI> publicUrl() {
                return Optional.empty();
            }

            @Override
            public Optional<String> signInKey() {
                return Optional.ofNullable(key);
            }

            @Override
            public Oidc oidc() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Session session() {
                throw new UnsupportedOperationException();
            }
        }, clock, host);
    }

    private static Clock clock(AtomicReference<Instant> now) {
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now.get();
            }
        };
    }
}
