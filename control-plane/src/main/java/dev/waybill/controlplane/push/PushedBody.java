package dev.waybill.controlplane.push;

import java.time.Duration;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationSafe;

/** Reads what was pushed and whose signature it bears. */
@Singleton
class PushedBody {

    private final ObjectMapper json;
    private final IntegrationSafe safe;
    private final PushConfig config;

    PushedBody(ObjectMapper json, IntegrationSafe safe, PushConfig config) {
        this.json = json;
        this.safe = safe;
        this.config = config;
    }

    PushEvent parse(Delivery delivery) {
        return PushEvent.parse(delivery.body(), json);
    }

    boolean isSigned(Delivery delivery, Integration integration) {
        return delivery.signature().fits(delivery.body(), safe.webhookSecret(integration));
    }

    int mostCandidates() {
        return config.mostCandidates();
    }

    Duration keep() {
        return config.keep();
    }
}
