package dev.waybill.controlplane.engine;

/**
 * Takes what a step has to tell its user: {@code GET .../revisions/{id}/logs} answers it. May be called from any thread and
 * never blocks; what comes faster than it can be stored, or is more than a revision may keep, is left out with a note that
 * says so. Values of the plan's environment and its credential are replaced before a line is stored; a line that is too long
 * is cut.
 */
public interface BuildLog {

    /** Stores nothing. */
    BuildLog NONE = (phase, stream, text) -> {
    };

    /** One line, without its end. */
    void line(Phase phase, Stream stream, String text);

    /** What was being done. */
    enum Phase {
        BUILD,
        DEPLOY
    }

    /** Who said it: the control plane itself, or a command. */
    enum Stream {
        SYSTEM,
        STDOUT,
        STDERR
    }
}
