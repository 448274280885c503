package dev.waybill.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.waybill.console.ConsoleConfig;
import dev.waybill.console.service.Credential;

class SessionCipherTest {

    private static final String FIRST = Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes());
    private static final String SECOND = Base64.getEncoder().encodeToString("fedcba9876543210fedcba9876543210".getBytes());
    private static final Session SESSION = new Session(Credential.ofKey("wb_key"),
            Instant.parse("2026-01-01T12:00:00Z"));

    @Test
    void opensWhatAnotherReplicaSealed() {
        String sealed = cipher(FIRST, null).seal(SESSION);

        assertThat(cipher(FIRST, null).open(sealed)).contains(SESSION);
        assertThat(sealed).doesNotContain("wb_key");
    }

    @Test
    void keepsTheKindOfTheCredential() {
        Session session = new Session(Credential.ofToken("a.b.c"), SESSION.expiresAt());

        assertThat(cipher(FIRST, null).open(cipher(FIRST, null).seal(session))).contains(session);
        assertThat(session.toString()).doesNotContain("a.b.c");
    }

    @Test
    void derivedSecretsDifferByPurposeAndKey() {
        String derived = cipher(FIRST, null).derive("state");

        assertThat(derived).hasSize(64).isEqualTo(cipher(FIRST, SECOND).derive("state"))
                .isNotEqualTo(cipher(FIRST, null).derive("tokens")).isNotEqualTo(cipher(SECOND, null).derive("state"));
    }

    @Test
    void opensCookiesOfThePreviousKey() {
        String sealed = cipher(FIRST, null).seal(SESSION);

        assertThat(cipher(SECOND, FIRST).open(sealed)).contains(SESSION);
        assertThat(cipher(SECOND, null).open(sealed)).isEmpty();
    }

    @Test
    void sealsTheSameSessionDifferently() {
        SessionCipher cipher = cipher(FIRST, null);

        assertThat(cipher.seal(SESSION)).isNotEqualTo(cipher.seal(SESSION));
    }

    @Test
    void ignoresWhatIsNoSession() {
        for (String value : new String[] { "", "x", "AQ", "%%%", "A".repeat(80), "A".repeat(10_000) }) {
            assertThat(cipher(FIRST, null).open(value)).as(value).isEmpty();
        }
    }

    @Test
    void rejectsKeysOfTheWrongLength() {
        assertThatThrownBy(() -> cipher("c2hvcnQ=", null)).hasMessageContaining("waybill.console.session.key must be 32 bytes");
    }

    private static SessionCipher cipher(String key, String previous) {
        return new SessionCipher(new ConsoleConfig() {
            @Override
            public URI controlPlaneUrl() {
                return URI.create("http://localhost");
            }

            @Override
            public URI exportUrl() {
                return URI.create("http://localhost");
            }

            @Override
            public URI experimentUrl() {
                return URI.create("http://localhost");
            }

            @Override
            public Optional<URI> publicUrl() {
                return Optional.empty();
            }

            @Override
            public Optional<String> signInKey() {
                return Optional.empty();
            }

            @Override
            public Oidc oidc() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Session session() {
                return new Session() {
                    @Override
                    public Optional<String> key() {
                        return Optional.of(key);
                    }

                    @Override
                    public Optional<String> previousKey() {
                        return Optional.ofNullable(previous);
                    }

                    @Override
                    public Duration maxAge() {
                        return Duration.ofHours(12);
                    }
                };
            }
        });
    }
}
