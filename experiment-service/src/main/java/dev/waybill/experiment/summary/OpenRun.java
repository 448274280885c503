package dev.waybill.experiment.summary;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A run that had not ended with its period: its descendants may start in later ones, and then its usage does not count.
 *
 * @param period start of the hour or day that it started in
 * @param usage its values in the sums of the period, costs in 10^-9; {@link Long#MIN_VALUE} for those that are not
 */
record OpenRun(UUID id, Instant period, long[] usage) {

    static final int BYTES = PeriodSummary.ID_BYTES + UsageTotals.VALUES * Long.BYTES;

    private static final int COST_DIGITS = 9;
    private static final int TOKENS = 3;

    static OpenRun read(ByteBuffer buffer, Instant period) {
        UUID id = new UUID(buffer.getLong(), buffer.getLong());
        long[] usage = new long[UsageTotals.VALUES];
        for (int i = 0; i < usage.length; i++) {
            usage[i] = buffer.getLong();
        }
        return new OpenRun(id, period, usage);
    }

    /** Returns the run without its tokens, costs or both in the sums. */
    OpenRun without(boolean tokens, boolean costs) {
        long[] rest = usage.clone();
        Arrays.fill(rest, tokens ? 0 : TOKENS, costs ? rest.length : TOKENS, Long.MIN_VALUE);
        return new OpenRun(id, period, rest);
    }

    boolean hasUsage() {
        return Arrays.stream(usage).anyMatch(value -> value != Long.MIN_VALUE);
    }

    void write(ByteBuffer buffer) {
        buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        for (long value : usage) {
            buffer.putLong(value);
        }
    }

    @Nullable
    BigDecimal usage(int index) {
        return usage[index] == Long.MIN_VALUE ? null
                : BigDecimal.valueOf(usage[index], index < TOKENS ? 0 : COST_DIGITS);
    }
}
