package dev.waybill.export.run;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.job.Lease;

/**
 * One attempt of a run, started under a lease.
 *
 * @param number counting from 1
 * @param filter filter expression as sent by the client; null for all runs
 * @param sessionName null when the session was deleted
 * @param restarted whether the store lost the uploads of an earlier attempt and the run restarted from its first row
 * @param committed the files of the commit record of an earlier attempt; null without a commit record
 * @param checkpoints finished files of earlier attempts with their checkpoints, in order; this attempt continues after them
 * @param traceParent the trace of the request that created the export; null when there is none
 */
public record Attempt(Lease lease, UUID exportId, UUID destinationId, int number, Instant startTime, Instant endTime,
        ExportLayout layout, String compression, @Nullable List<String> exportFields, @Nullable String filter,
        @Nullable String sessionName, boolean restarted, @Nullable List<ExportRunFile> committed,
        List<ExportRunFile> checkpoints,
        @Nullable String traceParent) {

    /** Returns the folder of the run's files. */
    public String folder() {
        return layout.folder(startTime);
    }
}
