package dev.waybill.export.schedule;

/** The next action of a schedule. */
sealed interface ScheduleAction {

    /** Exports a window. */
    record Spawn(Window window) implements ScheduleAction {
    }

    /**
     * Pauses the schedule until the customer fixes the cause.
     *
     * @param reason the cause and what to do, for the user
     */
    record Pause(String reason) implements ScheduleAction {
    }

    /** Does nothing until the next poll. */
    enum Wait implements ScheduleAction {
        /** Another replica has locked the schedule, or it is paused or cancelled. */
        LOCKED,
        NOT_DUE,
        EARLIER_WINDOW_UNFINISHED,
        PLAN_LACKS_EXPORT
    }
}
