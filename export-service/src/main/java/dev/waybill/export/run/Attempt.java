package dev.waybill.export.run;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;

/**
 * One try at a run, begun under a lease.
 *
 * @param number counting from 1
 * @param filter what narrows the runs, as it was written; null: nothing does
 * @param sessionName null when the session is gone
 * @param startedOver whether an earlier attempt lost its uploads after the commit record and the run began anew
 * @param committed the files of the commit record, when an earlier attempt got that far; else null
 * @param checkpoints files of earlier attempts that are whole, in order, each with its checkpoint; this one goes on behind them
 * @param traceParent the trace of the request that ordered the export; null when there is none
 */
public record Attempt(Lease lease, UUID exportId, UUID destinationId, int number, Instant startTime, Instant endTime,
        ExportLayout layout, String compression, @Nullable List<String> exportFields, @Nullable String filter,
        @Nullable String sessionName, boolean startedOver, @Nullable List<RunFile> committed, List<RunFile> checkpoints,
        @Nullable String traceParent) {

    /** The folder of the run's files. */
    public String folder() {
        return layout.folder(startTime);
    }
}
