package dev.waybill.export.execution;

import java.util.UUID;

import jakarta.inject.Singleton;

import io.quarkus.arc.DefaultBean;

/**
 * Callback after each step at which a worker may crash without data loss. Production uses {@link NoOp}; tests
 * replace it to stop workers.
 */
interface CrashPoint {

    /** Called by a worker of the workspace after the step and before the next one. */
    void reached(UUID tenantId, Step step);

    /** Steps that differ in what recovery has to do. */
    enum Step {
        /** The attempt has started and has read no row. */
        STARTED,
        /** All parts of a file are uploaded, and more files follow. */
        FILE_FINISHED,
        /** All parts of all files are uploaded, without a commit record. */
        PARTS_UPLOADED,
        /** The commit record is written; no file is visible. */
        COMMITTED,
        /** At least one file is visible. */
        FILE_VISIBLE,
        /** All files are visible; the run is still in state Running. */
        PUBLISHED,
        /** The manifest is written; the export is still in status Running. */
        MANIFEST_WRITTEN
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
