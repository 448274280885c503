package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import dev.waybill.controlplane.engine.Plan;

/**
 * Stores the greatest revision number of a deployment that any control plane of this machine started, so that stale control
 * planes stop nothing newer.
 */
final class RevisionFence {

    private static final String NEWEST = "newest";

    private final EnginePaths paths;

    RevisionFence(EnginePaths paths) {
        this.paths = paths;
    }

    /** Records the plan's revision number if it is greater than the stored one. */
    void advance(Plan plan) throws IOException, InterruptedException {
        Path deployment = paths.deployment(plan.deploymentId());
        EnginePaths.create(deployment);
        InterProcessLock.withLock(paths.lock(plan.deploymentId()), () -> {
            boolean newer = newest(plan.deploymentId()) < plan.number();
            if (newer) {
                EnginePaths.write(deployment.resolve(NEWEST), String.valueOf(plan.number()));
            }
            return newer;
        });
    }

    /** Returns whether a revision with a greater number was started. */
    boolean isStale(UUID deploymentId, long number) throws IOException {
        return newest(deploymentId) > number;
    }

    private long newest(UUID deploymentId) throws IOException {
        return EnginePaths.read(paths.deployment(deploymentId).resolve(NEWEST)).map(Long::parseLong).orElse(0L);
    }
}
