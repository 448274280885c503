package dev.waybill.runtime.access;

import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import dev.waybill.common.audit.Actor;
import dev.waybill.common.audit.AuditEntry;
import dev.waybill.common.id.Digests;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.security.PresentedKey;
import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import dev.waybill.runtime.access.KeyRecheckTimer.VerifiedKey;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;

/** Resolves the caller of a request from the configured keys and the key cache, without a request to the control plane. */
@Singleton
public class CallerResolver {

    private static final int BEFORE_RATE_LIMIT = 985;

    private final ConfiguredKeys configured;
    private final ControlPlaneKeyVerifier controlPlane;

    CallerResolver(AccessConfig config, ControlPlaneKeyVerifier controlPlane) {
        this.configured = new ConfiguredKeys(config.keys().orElse(List.of()));
        this.controlPlane = controlPlane;
    }

    /** Exempts loopback requests from the rate limit for clients without a key where no keys are configured. */
    void register(@Observes Filters filters) {
        if (allowsOnlyLoopback()) {
            filters.register(request -> {
                if (LoopbackRequests.isLoopback(request.request())) {
                    PresentedKey.markAuthenticated(request);
                }
                request.next();
            }, BEFORE_RATE_LIMIT);
        }
    }

    /** Returns whether neither keys nor a control plane are configured, so that only loopback requests are accepted. */
    boolean allowsOnlyLoopback() {
        return configured.isEmpty() && !controlPlane.configured();
    }

    /** Returns the caller's principal; empty when the key must be verified first or the request is rejected. */
    public Optional<String> of(RoutingContext request) {
        if (allowsOnlyLoopback()) {
            return LoopbackRequests.isLoopback(request.request()) ? Optional.of(localCaller(request, "local"))
                    : Optional.empty();
        }
        String key = PresentedKey.of(request);
        if (key == null) {
            return Optional.empty();
        }
        if (configured.contains(key)) {
            return Optional.of(localCaller(request, configured.principal(key)));
        }
        Optional<Principal> cached = controlPlane.cached(key);
        cached.ifPresent(principal -> recordKey(request, key, principal));
        return cached.map(Principal::name);
    }

    /**
     * Records the principal of a key that the control plane verified for the audit log, the log and {@link KeyRecheckTimer}.
     */
    void recordKey(RoutingContext request, String key, Principal principal) {
        new VerifiedKey(key, principal.name()).attachTo(request);
        AuditEntry.setActor(request, principal.actor());
        PresentedKey.markAuthenticated(request);
        UUID workspace = principal.actor().tenantId();
        if (workspace != null) {
            MDC.put(LogKeys.TENANT_ID, workspace.toString());
            request.put(LogKeys.TENANT_ID, workspace.toString());
        }
    }

    private static String localCaller(RoutingContext request, String principal) {
        AuditEntry.setActor(request, Actor.caller(principal));
        PresentedKey.markAuthenticated(request);
        return principal;
    }

    /** Hashes of the API keys in the configuration. */
    static final class ConfiguredKeys {

        private static final int PRINCIPAL_BYTES = 16;

        private final List<byte[]> hashes;

        ConfiguredKeys(Collection<String> keys) {
            this.hashes = keys.stream().map(String::strip).filter(key -> !key.isEmpty()).map(ConfiguredKeys::hash).toList();
        }

        boolean isEmpty() {
            return hashes.isEmpty();
        }

        /** Returns whether the key is configured, in constant time: compares it with all hashes. */
        boolean contains(String key) {
            byte[] hash = hash(key);
            boolean found = false;
            for (byte[] configured : hashes) {
                found |= MessageDigest.isEqual(configured, hash);
            }
            return found;
        }

        /** Returns the principal of the key, derived from a prefix of its hash. */
        String principal(String key) {
            return "key:" + HexFormat.of().formatHex(hash(key), 0, PRINCIPAL_BYTES);
        }

        static byte[] hash(String key) {
            return Digests.sha256(key);
        }
    }

    /** Recognises requests from this machine. Requests of web pages are excluded, also those that use DNS rebinding. */
    static final class LoopbackRequests {

        private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

        private LoopbackRequests() {
        }

        static boolean isLoopback(HttpServerRequest request) {
            HostAndPort authority = request.authority();
            return isLoopbackAddress(request.remoteAddress())
                    && request.getHeader("Origin") == null
                    && authority != null && NAMES.contains(authority.host().toLowerCase(Locale.ROOT));
        }

        private static boolean isLoopbackAddress(SocketAddress caller) {
            String address = caller.hostAddress();
            return address != null
                    && (address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1") || address.equals("::1"));
        }
    }
}
