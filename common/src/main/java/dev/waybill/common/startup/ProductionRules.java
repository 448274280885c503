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
 * What a service must not be configured with when others than its own machine reach it: a function of its configuration. Each
 * rule names one property, by which an operator can accept it.
 */
final class ProductionRules {

    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "::1", "[::1]", "0:0:0:0:0:0:0:1");
    private static final Set<String> SAMPLES = Set.of("", "admin", "changeme", "default", "example", "password", "postgres",
            "quarkus", "root", "sample", "secret", "test", "waybill", "...");
    private static final String BELIEVES = "believes whoever answers: name the authorities that certify it";
    private static final Map<String, String> FLAGS = new TreeMap<>(Map.of(
            "waybill.net.allow-http", "sends customers' data and credentials in the clear",
            "waybill.export.environment-credentials", "lends the service's own credentials to every workspace's admin",
            "quarkus.tls.trust-all", BELIEVES,
            "quarkus.datasource.reactive.trust-all", BELIEVES,
            "quarkus.kubernetes-client.trust-certs", BELIEVES));
    /** The machine itself, and where clouds tell a machine its credentials. */
    private static final List<String> OURS = List.of("127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254");
    private static final String TELEMETRY = "waybill.telemetry.endpoint";
    private static final List<String> KEYS = List.of("waybill.operator.key", "waybill.bootstrap.api-key",
            "waybill.bootstrap.organization-api-key");
    private static final Set<String> SECURE = Set.of("require", "verify-ca", "verify-full");
    private static final Set<String> TALKATIVE = Set.of("ALL", "TRACE", "DEBUG", "FINE", "FINER", "FINEST");
    /** Of 32 random hexadecimal digits, as keys are made with openssl, once in a hundred fewer than 12 are different. */
    private static final int FEWEST_LETTERS = 8;

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
        audience().ifPresent(faults::add);
        logging().ifPresent(faults::add);
        pages().ifPresent(faults::add);
        ranges().ifPresent(faults::add);
        collector().ifPresent(faults::add);
        applications().ifPresent(faults::add);
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
                .filter(ProductionRules::isPlainAndElsewhere)
                .map(url -> new Fault("waybill.jwt.jwks-url", "takes the keys that tokens are checked with from the network"
                        + " in the clear: use https"));
    }

    private Optional<Fault> audience() {
        boolean tokens = settings.apply("waybill.jwt.issuer").isPresent() && settings.apply("waybill.jwt.jwks-url").isPresent();
        return tokens && settings.apply("waybill.jwt.audience").filter(name -> !name.isBlank()).isEmpty()
                ? Optional.of(new Fault("waybill.jwt.audience", "is missing, so tokens that the issuer made for other services"
                        + " are accepted: set the audience that names this one"))
                : Optional.empty();
    }

    private Optional<Fault> logging() {
        return settings.apply("quarkus.log.level")
                .filter(level -> TALKATIVE.contains(level.toUpperCase(Locale.ROOT)))
                .map(level -> new Fault("quarkus.log.level", "has libraries log what they send and get, secrets included:"
                        + " set a category's level instead"));
    }

    private Optional<Fault> pages() {
        return settings.apply("quarkus.http.cors.origins")
                .filter(origins -> Stream.of(origins.split(",")).map(String::strip)
                        .anyMatch(origin -> origin.equals("*") || origin.equals("/.*/")))
                .map(origins -> new Fault("quarkus.http.cors.origins", "lets every page on the web ask: name those that may"));
    }

    private Optional<Fault> ranges() {
        return OURS.stream().anyMatch(this::letsPass)
                ? Optional.of(new Fault("waybill.net.allowed-ranges",
                        "lets customers' endpoints lead to the machine itself or to"
                                + " the credentials that its cloud gives it: name the ranges of buckets alone"))
                : Optional.empty();
    }

    private boolean letsPass(String address) {
        try {
            guard.check(InetAddress.ofLiteral(address));
            return true;
        } catch (UnsafeAddressException e) {
            return false;
        }
    }

    private Optional<Fault> collector() {
        // Also as it is called in the environment.
        boolean secrets = StreamSupport.stream(names.spliterator(), false)
                .anyMatch(name -> name.replace('.', '_').toLowerCase(Locale.ROOT).startsWith("waybill_telemetry_headers_"));
        return settings.apply(TELEMETRY)
                .filter(url -> secrets && isPlainAndElsewhere(url))
                .map(url -> new Fault(TELEMETRY, "sends waybill.telemetry.headers in the clear: use https"));
    }

    private Optional<Fault> applications() {
        boolean here = settings.apply("waybill.engine.kind").map(kind -> !kind.equalsIgnoreCase("kubernetes")).orElse(true);
        return settings.apply("waybill.engine.local.runtime").filter(runtime -> here && !runtime.isBlank())
                .map(runtime -> new Fault("waybill.engine.local.runtime",
                        "runs what customers deploy as the service's own user,"
                                + " who can read its passwords and keys: use a cluster, or accept it where everybody who may deploy"
                                + " is trusted with the machine"));
    }

    private static boolean isPlainAndElsewhere(String url) {
        return url.toLowerCase(Locale.ROOT).startsWith("http://") && !HERE.contains(host(url));
    }

    private record Fault(String property, String reason) {

        @Override
        public String toString() {
            return property + " " + reason;
        }
    }
}
