package dev.waybill.common.api.deployment;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;

/** Resource requests and limits of a deployment; absent members get defaults. A PATCH replaces the whole object. */
public record ResourceSpec(
        @Nullable @Min(value = 0, message = "must be 0 to 1000") @Max(value = 1000, message = "must be 0 to 1000") Integer minScale,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") Integer maxScale,
        @Nullable @DecimalMin(value = "0.01", message = "must be 0.01 to 256") @DecimalMax(value = "256", message = "must be 0.01 to 256") Double cpu,
        @Nullable @DecimalMin(value = "0.01", message = "must be 0.01 to 256") @DecimalMax(value = "256", message = "must be 0.01 to 256") Double cpuLimit,
        @Nullable @Min(value = 16, message = "must be 16 to 1048576") @Max(value = 1_048_576, message = "must be 16 to 1048576") Integer memoryMb,
        @Nullable @Min(value = 16, message = "must be 16 to 1048576") @Max(value = 1_048_576, message = "must be 16 to 1048576") Integer memoryLimitMb) {
}
