package dev.waybill.console.session;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.waybill.common.id.Digests;
import dev.waybill.console.ConsoleConfig;

/**
 * One-time codes with which {@code ./quickstart} opens a browser that is signed in. A code starts one session, within five
 * minutes. Without {@code waybill.console.sign-in-key}, which a local stack sets, there are none. The codes are stored in the
 * memory of this process only.
 */
@Singleton
class SignInCodes {

    static final Duration MAX_AGE = Duration.ofMinutes(5);

    private static final int CODE_BYTES = 32;
    private static final int MAX_CODES = 100;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private final SecureRandom random = new SecureRandom();
    private final Optional<String> key;
    private final Clock clock;
    /** By hash, in the order of creation: the time of a lookup reveals nothing about the codes. */
    private final Map<String, Entry> codes = new LinkedHashMap<>();

    SignInCodes(ConsoleConfig config, Clock clock, @ConfigProperty(name = "quarkus.http.host") String host) {
        this.key = config.signInKey().filter(text -> !text.isBlank());
        this.clock = clock;
        if (key.isPresent() && !LOOPBACK.contains(host.strip())) {
            throw new IllegalStateException(
                    "waybill.console.sign-in-key is for local stacks only: remove it, or set quarkus.http.host to 127.0.0.1");
        }
    }

    boolean isEnabled() {
        return key.isPresent();
    }

    /** Returns whether the text is the configured key. */
    boolean isKey(String text) {
        return key.isPresent() && Digests.sha256Hex(text).equals(Digests.sha256Hex(key.get()));
    }

    /** Returns a new code for an API key. */
    synchronized String create(String apiKey) {
        Instant now = clock.instant();
        codes.values().removeIf(entry -> !now.isBefore(entry.expiresAt()));
        if (codes.size() >= MAX_CODES) {
            codes.remove(codes.keySet().iterator().next());
        }
        byte[] bytes = new byte[CODE_BYTES];
        random.nextBytes(bytes);
        String code = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        codes.put(Digests.sha256Hex(code), new Entry(apiKey, now.plus(MAX_AGE)));
        return code;
    }

    /** Returns the API key of a code and invalidates the code; empty if it is unknown, used or expired. */
    synchronized Optional<String> redeem(String code) {
        return Optional.ofNullable(codes.remove(Digests.sha256Hex(code)))
                .filter(entry -> clock.instant().isBefore(entry.expiresAt()))
                .map(Entry::apiKey);
    }

    private record Entry(String apiKey, Instant expiresAt) {

        @Override
        public String toString() {
            return "Entry[expiresAt=" + expiresAt + "]";
        }
    }
}
