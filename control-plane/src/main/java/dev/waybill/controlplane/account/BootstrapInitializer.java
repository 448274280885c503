package dev.waybill.controlplane.account;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.VertxContextSupport;

/** Creates the bootstrap accounts before the first request, and warns while a bootstrap key is configured. */
@Singleton
class BootstrapInitializer {

    private static final Logger LOG = Logger.getLogger(BootstrapInitializer.class);

    private final BootstrapConfig config;
    private final BootstrapService bootstrap;

    BootstrapInitializer(BootstrapConfig config, BootstrapService bootstrap) {
        this.config = config;
        this.bootstrap = bootstrap;
    }

    void start(@Observes StartupEvent starting) throws Throwable {
        if (config.apiKey().isEmpty() && config.organizationApiKey().isEmpty()) {
            return;
        }
        LOG.warn("a bootstrap key is configured: create other keys, then remove waybill.bootstrap.api-key and"
                + " waybill.bootstrap.organization-api-key from the configuration and revoke them");
        VertxContextSupport.subscribeAndAwait(() -> bootstrap.bootstrap(config));
    }
}
