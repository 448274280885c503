package dev.waybill.common.idempotency;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configuration of {@code Idempotency-Key}. */
@ConfigMapping(prefix = "waybill.idempotency")
public interface IdempotencyConfig {

    /** Time after which a request counts as crashed, so that another one with the same key may execute the operation. */
    @WithDefault("1m")
    Duration leaseDuration();
}
