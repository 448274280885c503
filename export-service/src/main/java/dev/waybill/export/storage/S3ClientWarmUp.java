package dev.waybill.export.storage;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;

/**
 * Makes one failing call at startup. The SDK's first call loads thousands of classes, which takes seconds on a busy machine;
 * without the warm-up it would block an event loop and count toward the timeout of the first validation.
 */
@Singleton
class S3ClientWarmUp {

    private static final Logger LOG = Logger.getLogger(S3ClientWarmUp.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final BucketAccess UNREACHABLE = new BucketAccess("warm-up", null, URI.create("http://127.0.0.1:1"),
            AddressingStyle.PATH,
            new StorageCredentials("warm-up", "warm-up", null));

    private final ObjectStoreFactory stores;

    S3ClientWarmUp(ObjectStoreFactory stores) {
        this.stores = stores;
    }

    void warmUp(@Observes StartupEvent starting) {
        try (ObjectStore store = stores.openForProbe(UNREACHABLE)) {
            store.put("warm-up", new byte[1], "text/plain")
                    .onFailure().recoverWithNull()
                    .subscribeAsCompletionStage()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            LOG.debug("the storage client could not be warmed up", e);
        }
    }
}
