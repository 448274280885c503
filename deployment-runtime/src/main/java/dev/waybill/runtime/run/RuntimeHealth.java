package dev.waybill.runtime.run;

import java.util.List;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.waybill.runtime.worker.Workers;

/** Ready is a runtime whose graphs all have a worker that takes runs, and that is not being stopped. */
@Readiness
@Singleton
class RuntimeHealth implements HealthCheck {

    private final Workers workers;
    private final Drain drain;

    RuntimeHealth(Workers workers, Drain drain) {
        this.workers = workers;
        this.drain = drain;
    }

    @Override
    public HealthCheckResponse call() {
        List<String> unready = workers.unready();
        return HealthCheckResponse.named("workers")
                .status(unready.isEmpty() && !drain.hasBegun())
                .withData("waiting_for", String.join(", ", unready))
                .withData("stopping", drain.hasBegun())
                .build();
    }
}
