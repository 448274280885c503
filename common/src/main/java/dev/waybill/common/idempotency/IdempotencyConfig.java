package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How {@code Idempotency-Key} is honoured. */
@ConfigMapping(prefix = "waybill.idempotency")
public interface IdempotencyConfig {

    /** The schema with the table {@code idempotency_keys}; set by each service itself. */
    Optional<String> schema();

    /** How long a key and its answer are kept. */
    @WithDefault("24h")
    Duration keep();

    /** How long a request may take before another with the same key may do its work. */
    @WithDefault("1m")
    Duration lease();
}
