package dev.waybill.controlplane.engine;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Selects lines of an application's output.
 *
 * @param position position from which lines are read; null for the newest lines
 * @param limit maximum number of lines
 * @param prefersNewest whether the newest lines are returned if more than {@code limit} are selected, otherwise the oldest
 * @param text part of the line in any letter case; empty for all lines
 * @param level least severe level; null for all lines
 * @param since earliest time; null for all lines
 */
public record ServerLogQuery(@Nullable Long position, int limit, boolean prefersNewest, String text,
        @Nullable LogLevel level, @Nullable Instant since) {

    /** Returns whether all lines are selected. */
    public boolean selectsAll() {
        return text.isEmpty() && level == null && since == null;
    }

    /** Returns the query of the next lines, of which the newest are preferred. */
    public ServerLogQuery after(long next, int maxLines) {
        return new ServerLogQuery(next, maxLines, true, text, level, since);
    }
}
