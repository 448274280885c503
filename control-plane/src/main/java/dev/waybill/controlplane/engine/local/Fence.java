package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import dev.waybill.controlplane.engine.Plan;

/**
 * Which revision of a deployment is the newest that any control plane of this machine began: who knows of none so new is late.
 */
final class Fence {

    private static final String NEWEST = "newest";

    private final Places places;

    Fence(Places places) {
        this.places = places;
    }

    /** From now on. */
    void begin(Plan plan) throws IOException, InterruptedException {
        Path deployment = places.deployment(plan.deploymentId());
        Places.create(deployment);
        MachineLock.hold(places.lock(plan.deploymentId()), () -> {
            boolean newer = newest(plan.deploymentId()) < plan.number();
            if (newer) {
                Places.write(deployment.resolve(NEWEST), String.valueOf(plan.number()));
            }
            return newer;
        });
    }

    /** Whether a newer one was begun than that. */
    boolean isLate(UUID deploymentId, long number) throws IOException {
        return newest(deploymentId) > number;
    }

    private long newest(UUID deploymentId) throws IOException {
        return Places.read(places.deployment(deploymentId).resolve(NEWEST)).map(Long::parseLong).orElse(0L);
    }
}
