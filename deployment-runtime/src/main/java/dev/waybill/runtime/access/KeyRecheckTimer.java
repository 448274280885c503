package dev.waybill.runtime.access;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Verifies the keys of long-lived responses again for as long as these are open, so that revoking a key also ends its streams.
 * One timer serves all responses, and one request all responses of a key.
 */
@Singleton
public class KeyRecheckTimer {

    static final Duration INTERVAL = Duration.ofSeconds(5);

    private final Map<Watched, VerifiedKey> responses = new ConcurrentHashMap<>();
    private final ControlPlaneKeyVerifier verifier;

    KeyRecheckTimer(ControlPlaneKeyVerifier verifier) {
        this.verifier = verifier;
    }

    /** A long-lived response. */
    public interface Watched {

        /**
         * Ends the response.
         *
         * @param reason sentence for the client
         */
        void terminate(String reason);
    }

    void begin(@Observes StartupEvent starting, Vertx vertx) {
        if (verifier.configured()) {
            vertx.setPeriodic(INTERVAL.toMillis(), ignored -> recheck());
        }
    }

    /** Registers the response, unless its key is configured: those are revoked by a restart only. */
    public void add(RoutingContext request, Watched response) {
        VerifiedKey key = VerifiedKey.of(request);
        if (key != null) {
            add(key, response);
        }
    }

    void add(VerifiedKey key, Watched response) {
        responses.put(response, key);
    }

    public void remove(Watched response) {
        responses.remove(response);
    }

    void recheck() {
        responses.entrySet().stream()
                .collect(Collectors.groupingBy(Map.Entry::getValue,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())))
                .forEach(this::recheck);
    }

    private void recheck(VerifiedKey key, List<Watched> watched) {
        verifier.verify(key.key()).map(found -> found.map(Principal::name)).subscribe().with(
                principal -> {
                    if (!principal.equals(Optional.of(key.principal()))) {
                        terminate(watched, "The API key of this request has been revoked.");
                    }
                },
                failure -> terminate(watched, "The API key could not be verified again: the control plane is unavailable."));
    }

    private static void terminate(List<Watched> watched, String reason) {
        watched.forEach(response -> response.terminate(reason));
    }

    /**
     * A key that the control plane verified, and the name of its principal at that time.
     *
     * @param key secret
     */
    record VerifiedKey(String key, String principal) {

        /** Stores this key in the request, for {@link KeyRecheckTimer}. */
        void attachTo(RoutingContext request) {
            request.put(VerifiedKey.class.getName(), this);
        }

        /** Returns the key stored in the request; null for a request with a configured key or without one. */
        static @Nullable VerifiedKey of(RoutingContext request) {
            return request.get(VerifiedKey.class.getName());
        }

        @Override
        public String toString() {
            return "VerifiedKey[" + principal + "]";
        }
    }
}
