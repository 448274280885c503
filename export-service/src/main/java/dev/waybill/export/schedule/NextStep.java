package dev.waybill.export.schedule;

/** What happens to a schedule now. */
sealed interface NextStep {

    /** This window is exported. */
    record Spawn(Window window) implements NextStep {
    }

    /**
     * Nothing more is exported until somebody mends what is wrong.
     *
     * @param reason what is wrong and what to do, fit for the user
     */
    record Pause(String reason) implements NextStep {
    }

    /** Nothing, for now. */
    enum Wait implements NextStep {
        /** Another replica is at it, or it is paused or cancelled by now. */
        NOT_FREE,
        NOT_DUE,
        EARLIER_WINDOW_UNFINISHED,
        PLAN_LACKS_EXPORT
    }
}
