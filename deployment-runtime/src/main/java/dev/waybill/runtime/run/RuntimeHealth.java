package dev.waybill.runtime.run;

import java.util.List;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.waybill.runtime.worker.Workers;

/** Readiness: every graph has a worker that accepts runs, and the runtime is not shutting down. */
@Readiness
@Singleton
class RuntimeHealth implements HealthCheck {

    private final Workers workers;
    private final RunRegistry runs;

    RuntimeHealth(Workers workers, RunRegistry runs) {
        this.workers = workers;
        this.runs = runs;
    }

    @Override
    public HealthCheckResponse call() {
        List<String> unready = workers.unready();
        return HealthCheckResponse.named("workers")
                .status(unready.isEmpty() && !runs.isStopping())
                .withData("waiting_for", String.join(", ", unready))
                .withData("stopping", runs.isStopping())
                .build();
    }
}
