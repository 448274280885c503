package dev.waybill.export.execution;

import java.util.UUID;

/**
 * Told when a worker has reached a step after which it must be safe to die. In production it does nothing; tests put one in
 * its place that stops the worker there.
 */
interface CrashPoint {

    /** A worker for that workspace has done the step and nothing after it. */
    void reached(UUID tenantId, Step step);

    /** The steps after which recovery has something different to do. */
    enum Step {
        /** The run is begun, nothing is read. */
        BEGUN,
        /** All parts of a file are in the store, and more files follow. */
        FILE_WHOLE,
        /** All parts of all files are in the store, nothing says so. */
        PARTS_UP,
        /** The commit record is written, no file is visible. */
        COMMITTED,
        /** A file has become visible, others perhaps not. */
        FILE_VISIBLE,
        /** All files are visible, the run still counts as running. */
        PUBLISHED,
        /** The manifest is written, the export still counts as running. */
        MANIFEST_WRITTEN
    }
}
