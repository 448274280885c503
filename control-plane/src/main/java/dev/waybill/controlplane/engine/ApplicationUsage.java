package dev.waybill.controlplane.engine;

import org.jspecify.annotations.Nullable;

/**
 * Usage of resources by an application; null for what the engine does not know.
 *
 * @param instances number of processes or pods, without workers
 * @param readyInstances number of instances that pass their health check
 * @param restarts how often instances were restarted after they had ended
 * @param cpuCores cores in use, with workers
 * @param memoryBytes memory in use, with workers
 * @param requestsPerMinute requests of the last minute
 */
public record ApplicationUsage(@Nullable Integer instances, @Nullable Integer readyInstances, @Nullable Long restarts,
        @Nullable Double cpuCores, @Nullable Long memoryBytes, @Nullable Long requestsPerMinute) {

    /** Nothing is known. */
    public static final ApplicationUsage UNKNOWN = new ApplicationUsage(null, null, null, null, null, null);
}
