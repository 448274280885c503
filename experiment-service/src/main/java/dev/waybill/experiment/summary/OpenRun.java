package dev.waybill.experiment.summary;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A run that had not ended with its hour: its descendants may start in later ones, and then its usage does not count.
 *
 * @param hour start of the hour that it started in
 * @param usage its values in the sums of the hour, costs in 10^-9; {@link Long#MIN_VALUE} for those that are not
 */
record OpenRun(UUID id, Instant hour, long[] usage) {

    private static final int COST_DIGITS = 9;
    private static final int TOKENS = 3;

    static OpenRun read(ByteBuffer buffer, Instant hour) {
        UUID id = new UUID(buffer.getLong(), buffer.getLong());
        long[] usage = new long[UsageTotals.VALUES];
        for (int i = 0; i < usage.length; i++) {
            usage[i] = buffer.getLong();
        }
        return new OpenRun(id, hour, usage);
    }

    @Nullable
    BigDecimal usage(int index) {
        return usage[index] == Long.MIN_VALUE ? null
                : BigDecimal.valueOf(usage[index], index < TOKENS ? 0 : COST_DIGITS);
    }
}
