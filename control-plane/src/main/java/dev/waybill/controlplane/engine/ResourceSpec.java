package dev.waybill.controlplane.engine;

import org.jspecify.annotations.Nullable;

/**
 * What an application may use (contract.md "Deployment management"); what is null is the engine's to choose.
 *
 * @param cpu cores asked for
 * @param cpuLimit cores at most
 */
public record ResourceSpec(@Nullable Integer minScale, @Nullable Integer maxScale, @Nullable Double cpu,
        @Nullable Double cpuLimit, @Nullable Integer memoryMb, @Nullable Integer memoryLimitMb) {
}
