package dev.waybill.export.schedule;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a schedule's next step depends on, all of it read in the transaction that makes the step.
 *
 * @param now by the database's clock
 * @param isUnfinished whether an earlier window is still being exported
 * @param isEntitled whether the plan of the workspace's organization includes bulk export
 * @param hasSession whether the tracing project is still there
 * @param recent what became of the last windows, newest first
 */
record Circumstances(Instant now, boolean isUnfinished, boolean isEntitled, boolean hasSession, List<Outcome> recent) {

    Circumstances {
        recent = List.copyOf(recent);
    }

    /**
     * What became of a window's export.
     *
     * @param code why it failed, as a word for programs; null when it did not
     * @param message why it failed, in words
     */
    record Outcome(@Nullable String code, @Nullable String message) {
    }
}
