package dev.waybill.common.startup;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a service must not be configured with when others than its own machine reach it: a function of its configuration. Each
 * rule names one property, by which an operator can accept it.
 */
final class ProductionRules {

    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1");
    private static final Set<String> SAMPLES = Set.of("", "admin", "changeme", "default", "example", "password", "postgres",
            "quarkus", "root", "sample", "secret", "test", "waybill", "...");
    private static final Map<String, String> FLAGS = new TreeMap<>(Map.of(
            "waybill.net.allow-http", "sends customers' data and credentials in the clear",
            "waybill.export.environment-credentials", "lends the service's own credentials to every workspace's admin"));
    private static final List<String> KEYS = List.of("waybill.operator.key", "waybill.bootstrap.api-key",
            "waybill.bootstrap.organization-api-key");
    private static final Set<String> SECURE = Set.of("require", "verify-ca", "verify-full");
    private static final Set<String> TALKATIVE = Set.of("ALL", "TRACE", "DEBUG", "FINE", "FINER", "FINEST");
    /** Of 32 random hexadecimal digits, as keys are made with openssl, once in a hundred fewer than 12 are different. */
    private static final int FEWEST_LETTERS = 8;

    private final Function<String, Optional<String>> settings;
    private final StartupConfig startup;

    ProductionRules(Function<String, Optional<String>> settings, StartupConfig startup) {
        this.settings = settings;
        this.startup = startup;
    }

    /** Whether only the machine itself reaches the service: then it is somebody's own, and nothing of this matters. */
    boolean listensHereOnly() {
        return settings.apply("quarkus.http.host").map(host -> HERE.contains(host.strip())).orElse(false);
    }

    /** A sentence for each rule that is broken and not accepted. */
    List<String> faults() {
        List<Fault> faults = new ArrayList<>();
        FLAGS.forEach((flag, reason) -> {
            if (isOn(flag)) {
                faults.add(new Fault(flag, reason));
            }
        });
        KEYS.stream().filter(this::isGuessable)
                .forEach(key -> faults.add(new Fault(key, "is no random key but a sample: make one")));
        password().ifPresent(faults::add);
        faults.addAll(database());
        listening().ifPresent(faults::add);
        keySet().ifPresent(faults::add);
        logging().ifPresent(faults::add);
        Set<String> accepted = startup.accept().orElse(Set.of());
        return faults.stream().filter(fault -> !accepted.contains(fault.property())).map(Fault::toString).toList();
    }

    private boolean isOn(String flag) {
        return settings.apply(flag).map(String::strip).filter("true"::equalsIgnoreCase).isPresent();
    }

    private boolean isGuessable(String key) {
        return settings.apply(key).filter(text -> text.chars().distinct().count() < FEWEST_LETTERS).isPresent();
    }

    private Optional<Fault> password() {
        String user = settings.apply("quarkus.datasource.username").orElse("");
        return settings.apply("quarkus.datasource.password").or(() -> Optional.of(""))
                .filter(password -> SAMPLES.contains(password.toLowerCase(Locale.ROOT)) || password.equals(user))
                .map(password -> new Fault("quarkus.datasource.password", "is missing or a sample that everybody knows"));
    }

    /** Both clients of the database, which are told of TLS each in its own way. */
    private List<Fault> database() {
        List<Fault> faults = new ArrayList<>();
        String mode = settings.apply("quarkus.datasource.reactive.postgresql.ssl-mode").orElse("");
        settings.apply("quarkus.datasource.reactive.url")
                .filter(url -> !HERE.contains(host(url)) && !SECURE.contains(mode.strip().toLowerCase(Locale.ROOT)))
                .ifPresent(url -> faults.add(inTheClear("quarkus.datasource.reactive.postgresql.ssl-mode", "verify-full")));
        settings.apply("quarkus.datasource.jdbc.url")
                .filter(url -> !HERE.contains(host(url))
                        && SECURE.stream().noneMatch(secure -> url.contains("sslmode=" + secure)))
                .ifPresent(url -> faults.add(inTheClear("quarkus.datasource.jdbc.url", "sslmode=verify-full")));
        return faults;
    }

    private static Fault inTheClear(String property, String better) {
        return new Fault(property, "lets everything that is stored go over the network in the clear: say " + better
                + ", or accept it where nobody else is on that network");
    }

    private static String host(String url) {
        try {
            return String.valueOf(URI.create(url.replaceFirst("^(vertx-reactive|jdbc):", "")).getHost());
        } catch (IllegalArgumentException e) {
            return url;
        }
    }

    private Optional<Fault> listening() {
        boolean plain = settings.apply("quarkus.http.insecure-requests").map(value -> !value.equalsIgnoreCase("disabled"))
                .orElse(true);
        return plain && !startup.behindProxy()
                ? Optional.of(new Fault("quarkus.http.insecure-requests", "lets keys come in the clear from other machines:"
                        + " configure a certificate and set it to disabled, or say waybill.startup.behind-proxy=true where"
                        + " something in front ends TLS"))
                : Optional.empty();
    }

    private Optional<Fault> keySet() {
        return settings.apply("waybill.jwt.jwks-url")
                .filter(url -> url.toLowerCase(Locale.ROOT).startsWith("http://")
                        && !HERE.contains(String.valueOf(URI.create(url).getHost())))
                .map(url -> new Fault("waybill.jwt.jwks-url", "takes the keys that tokens are checked with from the network"
                        + " in the clear: use https"));
    }

    private Optional<Fault> logging() {
        return settings.apply("quarkus.log.level")
                .filter(level -> TALKATIVE.contains(level.toUpperCase(Locale.ROOT)))
                .map(level -> new Fault("quarkus.log.level", "has libraries log what they send and get, secrets included:"
                        + " set a category's level instead"));
    }

    private record Fault(String property, String reason) {

        @Override
        public String toString() {
            return property + " " + reason;
        }
    }
}
