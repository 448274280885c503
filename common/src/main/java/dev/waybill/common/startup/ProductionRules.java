package dev.waybill.common.startup;

import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.eclipse.microprofile.config.Config;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;

/**
 * Settings that are unsafe in production when other machines can reach the service. Each rule refers to one property, by which
 * an operator can allow it.
 */
final class ProductionRules {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1");
    private static final Set<String> SAMPLE_PASSWORDS = Set.of("", "admin", "changeme", "default", "example", "password",
            "postgres",
            "quarkus", "root", "sample", "secret", "test", "waybill", "...");
    private static final String TRUSTS_ANY_CERTIFICATE = "disables certificate verification: configure the trusted certificate authorities";
    private static final Map<String, String> FLAGS = new TreeMap<>(Map.of(
            "waybill.net.allow-http", "sends customers' data and credentials unencrypted",
            "waybill.export.environment-credentials", "lets the admins of every workspace use the service's own credentials",
            "quarkus.tls.trust-all", TRUSTS_ANY_CERTIFICATE,
            "quarkus.datasource.reactive.trust-all", TRUSTS_ANY_CERTIFICATE,
            "quarkus.kubernetes-client.trust-certs", TRUSTS_ANY_CERTIFICATE));
    /** Loopback addresses and the metadata services of clouds, which return a machine's credentials. */
    private static final List<String> INTERNAL_ADDRESSES = List.of("127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254");
    private static final String TELEMETRY = "waybill.telemetry.endpoint";
    private static final String SESSION_KEY = "waybill.console.session.key";
    private static final List<String> KEYS = List.of("waybill.operator.key", "waybill.bootstrap.api-key",
            "waybill.bootstrap.organization-api-key", SESSION_KEY);
    private static final Set<String> SECURE = Set.of("require", "verify-ca", "verify-full");
    private static final Set<String> VERBOSE_LEVELS = Set.of("ALL", "TRACE", "DEBUG", "FINE", "FINER", "FINEST");
    /** Of 32 random hexadecimal digits, one in a hundred keys has fewer than 12 different ones. */
    private static final int MIN_DISTINCT_CHARACTERS = 8;

    private final Function<String, Optional<String>> settings;
    private final Iterable<String> names;
    private final StartupConfig startup;
    private final AddressGuard guard;

    ProductionRules(Config config, StartupConfig startup, AddressGuard guard) {
        this.settings = name -> config.getOptionalValue(name, String.class);
        this.names = config.getPropertyNames();
        this.startup = startup;
        this.guard = guard;
    }

    /** Returns whether the service listens on a loopback address only; then none of these rules applies. */
    boolean listensOnLoopbackOnly() {
        return settings.apply("quarkus.http.host").map(host -> LOOPBACK_HOSTS.contains(host.strip())).orElse(false);
    }

    /** Returns a sentence for each violated rule that is not allowed by configuration. */
    List<String> violations() {
        List<Violation> violations = new ArrayList<>();
        FLAGS.forEach((flag, reason) -> {
            if (isOn(flag)) {
                violations.add(new Violation(flag, reason));
            }
        });
        KEYS.stream().filter(this::isGuessable)
                .forEach(key -> violations.add(new Violation(key, "is not a random key: generate one")));
        password().ifPresent(violations::add);
        violations.addAll(database());
        listener().ifPresent(violations::add);
        keySet().ifPresent(violations::add);
        signInIssuer().ifPresent(violations::add);
        audience().ifPresent(violations::add);
        logging().ifPresent(violations::add);
        corsOrigins().ifPresent(violations::add);
        ranges().ifPresent(violations::add);
        collector().ifPresent(violations::add);
        applications().ifPresent(violations::add);
        sessionKey().ifPresent(violations::add);
        Set<String> allowed = startup.allowUnsafe().orElse(Set.of());
        return violations.stream().filter(violation -> !allowed.contains(violation.property())).map(Violation::toString)
                .toList();
    }

    private boolean isOn(String flag) {
        return settings.apply(flag).map(String::strip).filter("true"::equalsIgnoreCase).isPresent();
    }

    private boolean isGuessable(String key) {
        return settings.apply(key).filter(text -> text.chars().distinct().count() < MIN_DISTINCT_CHARACTERS).isPresent();
    }

    private Optional<Violation> password() {
        String user = settings.apply("quarkus.datasource.username").orElse("");
        if (user.isEmpty()) {
            // The console has no database; the other services name their role.
            return Optional.empty();
        }
        return settings.apply("quarkus.datasource.password").or(() -> Optional.of(""))
                .filter(password -> SAMPLE_PASSWORDS.contains(password.toLowerCase(Locale.ROOT)) || password.equals(user))
                .map(password -> new Violation("quarkus.datasource.password", "is missing or a well-known sample"));
    }

    /** The reactive and the JDBC client have separate TLS settings. */
    private List<Violation> database() {
        List<Violation> violations = new ArrayList<>();
        String mode = settings.apply("quarkus.datasource.reactive.postgresql.ssl-mode").orElse("");
        settings.apply("quarkus.datasource.reactive.url")
                .filter(url -> !LOOPBACK_HOSTS.contains(host(url)) && !SECURE.contains(mode.strip().toLowerCase(Locale.ROOT)))
                .ifPresent(
                        url -> violations.add(unencrypted("quarkus.datasource.reactive.postgresql.ssl-mode", "verify-full")));
        settings.apply("quarkus.datasource.jdbc.url")
                .filter(url -> !LOOPBACK_HOSTS.contains(host(url))
                        && SECURE.stream().noneMatch(secure -> url.contains("sslmode=" + secure)))
                .ifPresent(url -> violations.add(unencrypted("quarkus.datasource.jdbc.url", "sslmode=verify-full")));
        return violations;
    }

    private static Violation unencrypted(String property, String secureSetting) {
        return new Violation(property, "lets all stored data cross the network unencrypted: set " + secureSetting
                + ", or allow it on a private network");
    }

    private static String host(String url) {
        try {
            return String.valueOf(URI.create(url.replaceFirst("^(vertx-reactive|jdbc):", "")).getHost());
        } catch (IllegalArgumentException e) {
            return url;
        }
    }

    private Optional<Violation> listener() {
        boolean plain = settings.apply("quarkus.http.insecure-requests").map(value -> !value.equalsIgnoreCase("disabled"))
                .orElse(true);
        return plain && !startup.behindProxy()
                ? Optional.of(new Violation("quarkus.http.insecure-requests",
                        "accepts unencrypted API keys from other machines:"
                                + " configure a certificate and set it to disabled, or set waybill.startup.behind-proxy=true if"
                                + " a proxy terminates TLS"))
                : Optional.empty();
    }

    private Optional<Violation> keySet() {
        return settings.apply("waybill.jwt.jwks-url")
                .filter(ProductionRules::isUnencryptedRemote)
                .map(url -> new Violation("waybill.jwt.jwks-url",
                        "fetches the keys for verifying tokens unencrypted:" + " use https"));
    }

    private Optional<Violation> signInIssuer() {
        return settings.apply("waybill.console.oidc.issuer")
                .filter(ProductionRules::isUnencryptedRemote)
                .map(url -> new Violation("waybill.console.oidc.issuer",
                        "sends codes and tokens of users unencrypted: use https"));
    }

    private Optional<Violation> audience() {
        boolean tokens = settings.apply("waybill.jwt.issuer").isPresent() && settings.apply("waybill.jwt.jwks-url").isPresent();
        return tokens && settings.apply("waybill.jwt.audience").filter(name -> !name.isBlank()).isEmpty()
                ? Optional.of(new Violation("waybill.jwt.audience",
                        "is missing, so tokens for other services of the issuer"
                                + " are accepted: set the audience of this service"))
                : Optional.empty();
    }

    private Optional<Violation> logging() {
        return settings.apply("quarkus.log.level")
                .filter(level -> VERBOSE_LEVELS.contains(level.toUpperCase(Locale.ROOT)))
                .map(level -> new Violation("quarkus.log.level",
                        "makes libraries log their messages, including secrets:" + " set the level of a category instead"));
    }

    private Optional<Violation> corsOrigins() {
        return settings.apply("quarkus.http.cors.origins")
                .filter(origins -> Stream.of(origins.split(",")).map(String::strip)
                        .anyMatch(origin -> origin.equals("*") || origin.equals("/.*/")))
                .map(origins -> new Violation("quarkus.http.cors.origins",
                        "allows requests from every web page: list the allowed origins"));
    }

    private Optional<Violation> ranges() {
        return INTERNAL_ADDRESSES.stream().anyMatch(this::isAllowed)
                ? Optional.of(new Violation("waybill.net.allowed-ranges",
                        "allows customers' endpoints to reach the machine itself or"
                                + " the credentials of its cloud instance: list only the ranges of buckets"))
                : Optional.empty();
    }

    private boolean isAllowed(String address) {
        try {
            guard.check(InetAddress.ofLiteral(address));
            return true;
        } catch (UnsafeAddressException e) {
            return false;
        }
    }

    private Optional<Violation> collector() {
        // Environment variables have another spelling.
        boolean secrets = StreamSupport.stream(names.spliterator(), false)
                .anyMatch(name -> name.replace('.', '_').toLowerCase(Locale.ROOT).startsWith("waybill_telemetry_headers_"));
        return settings.apply(TELEMETRY)
                .filter(url -> secrets && isUnencryptedRemote(url))
                .map(url -> new Violation(TELEMETRY, "sends waybill.telemetry.headers unencrypted: use https"));
    }

    private Optional<Violation> applications() {
        boolean isLocalEngine = settings.apply("waybill.engine.kind").map(kind -> !kind.equalsIgnoreCase("kubernetes"))
                .orElse(true);
        return settings.apply("waybill.engine.local.runtime").filter(runtime -> isLocalEngine && !runtime.isBlank())
                .map(runtime -> new Violation("waybill.engine.local.runtime",
                        "runs customers' applications as the service's own user,"
                                + " who can read its passwords and keys: use Kubernetes, or allow it if everybody who may deploy"
                                + " is trusted with the machine"));
    }

    private Optional<Violation> sessionKey() {
        boolean isConsole = settings.apply("waybill.console.control-plane-url").isPresent();
        return isConsole && settings.apply(SESSION_KEY).filter(key -> !key.isBlank()).isEmpty()
                ? Optional.of(new Violation(SESSION_KEY,
                        "is missing, so a session ends with the replica that started it: set the same 32 random bytes in"
                                + " Base64 for all replicas"))
                : Optional.empty();
    }

    private static boolean isUnencryptedRemote(String url) {
        return url.toLowerCase(Locale.ROOT).startsWith("http://") && !LOOPBACK_HOSTS.contains(host(url));
    }

    private record Violation(String property, String reason) {

        @Override
        public String toString() {
            return property + " " + reason;
        }
    }
}
