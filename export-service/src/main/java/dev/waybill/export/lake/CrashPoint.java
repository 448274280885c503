package dev.waybill.export.lake;

import java.util.UUID;

import jakarta.inject.Singleton;

import io.quarkus.arc.DefaultBean;

/**
 * Callback after each step at which a worker may crash without an effect on what readers see. Production uses {@link NoOp};
 * tests replace it to stop workers.
 */
interface CrashPoint {

    /** Called by a worker of the workspace after the step and before the next one. */
    void reached(UUID tenantId, Step step);

    /** Steps that differ in what recovery has to do. */
    enum Step {
        /** The attempt and its prefix are stored; writers record changes of the day from now on. */
        STARTED,
        /** All transactions that may not record their changes have ended. */
        BARRIER_PASSED,
        /** All parts of all files are uploaded; no file is visible. */
        PARTS_UPLOADED,
        /** At least one file is visible. */
        FILE_VISIBLE,
        /** All files are visible and none is recorded. */
        PUBLISHED,
        /** The files are recorded. */
        RECORDED,
        /** The workspace's table exists and is loaded. */
        TABLE_LOADED,
        /** The files are committed to the table. */
        TABLE_COMMITTED,
        /** Unused metadata of the table is deleted. */
        TABLE_CLEANED,
        /** The publication is recorded. */
        TABLE_RECORDED
    }

    /** The crash point of production: does nothing. */
    @Singleton
    @DefaultBean
    class NoOp implements CrashPoint {

        @Override
        public void reached(UUID tenantId, Step step) {
            // Only tests stop workers.
        }
    }
}
