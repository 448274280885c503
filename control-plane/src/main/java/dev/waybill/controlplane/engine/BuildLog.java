package dev.waybill.controlplane.engine;

import dev.waybill.controlplane.source.CommitDescription;

/**
 * Receives the log lines of a revision, which {@code GET .../revisions/{id}/logs} returns. Callable from any thread; never
 * blocks. Lines that exceed the buffer or the revision's maximum are dropped and a note with their count is stored. Secrets of
 * the plan are redacted, and long lines are truncated, before a line is stored.
 */
public interface BuildLog {

    /** Discards all lines. */
    BuildLog NONE = (phase, stream, text) -> {
    };

    /** Logs one line, given without its line terminator. */
    void line(Phase phase, Stream stream, String text);

    /** Records how the revision's commit is described, after its checkout. */
    default void commit(CommitDescription commit) {
        // Only stored logs belong to a revision.
    }

    /** The phase that a line belongs to. */
    enum Phase {
        BUILD,
        DEPLOY
    }

    /** The origin of a line: the control plane itself, or a command's output. */
    enum Stream {
        SYSTEM,
        STDOUT,
        STDERR
    }
}
