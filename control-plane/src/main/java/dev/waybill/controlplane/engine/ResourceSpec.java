package dev.waybill.controlplane.engine;

import org.jspecify.annotations.Nullable;

/**
 * Resource requests and limits of an application (contract.md "Deployment management"); the engine chooses a default for null.
 *
 * @param cpu requested cores
 * @param cpuLimit maximum cores
 */
public record ResourceSpec(@Nullable Integer minScale, @Nullable Integer maxScale, @Nullable Double cpu,
        @Nullable Double cpuLimit, @Nullable Integer memoryMb, @Nullable Integer memoryLimitMb) {
}
