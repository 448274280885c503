package dev.waybill.experiment.run;

import java.util.List;

/**
 * Runs that are stored together or not at all.
 *
 * @param posts new runs
 * @param patches changes of runs, in the order they are to be made
 */
public record RunBatch(List<RunFields> posts, List<RunFields> patches) {
}
