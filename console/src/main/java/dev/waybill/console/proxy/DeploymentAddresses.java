package dev.waybill.console.proxy;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.console.service.Credential;
import dev.waybill.console.service.Service;
import dev.waybill.console.service.ServiceClient;
import io.vertx.core.Future;

/**
 * Finds the addresses of deployed applications: asks the control-plane with the caller's credential and caches its response
 * briefly.
 */
@Singleton
class DeploymentAddresses {

    private static final Duration MAX_AGE = Duration.ofSeconds(30);
    private static final int MAX_ENTRIES = 1_000;

    private final ServiceClient services;
    private final Clock clock;
    private final Map<Key, Entry> cache = new LinkedHashMap<>();

    DeploymentAddresses(ServiceClient services, Clock clock) {
        this.services = services;
        this.clock = clock;
    }

    /** Returns the address; fails with {@link UnknownDeploymentException} if the caller has no such deployment. */
    Future<URI> find(UUID deployment, Credential credential, @Nullable String workspace) {
        Key key = new Key(deployment, credential, workspace);
        Entry cached = cached(key);
        if (cached != null) {
            return Future.succeededFuture(cached.address());
        }
        return services.get(Service.CONTROL_PLANE, "/v2/deployments/" + deployment, credential, workspace).compose(reply -> {
            String address = reply.body().getString("url");
            if (reply.status() != 200 || address == null) {
                return Future.failedFuture(new UnknownDeploymentException(reply.status()));
            }
            URI found = URI.create(address);
            store(key, found);
            return Future.succeededFuture(found);
        });
    }

    private synchronized @Nullable Entry cached(Key key) {
        Entry entry = cache.get(key);
        return entry != null && clock.instant().isBefore(entry.expiresAt()) ? entry : null;
    }

    private synchronized void store(Key key, URI address) {
        if (cache.size() >= MAX_ENTRIES) {
            cache.clear();
        }
        cache.put(key, new Entry(address, clock.instant().plus(MAX_AGE)));
    }

    private record Key(UUID deployment, Credential credential, @Nullable String workspace) {

        @Override
        public String toString() {
            return "Key[deployment=" + deployment + "]";
        }
    }

    private record Entry(URI address, Instant expiresAt) {
    }

    /** The caller has no such deployment, or it has no address yet. */
    static final class UnknownDeploymentException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int status;

        UnknownDeploymentException(int status) {
            super("GET /v2/deployments returned " + status, null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
