package dev.waybill.experiment.dataset;

import java.util.UUID;

/**
 * A place for a new experiment in a dataset; nobody else gets one until the transaction ends.
 *
 * @param testRunNumber which experiment of the dataset it is, counted from 1
 */
public record TestRunAllocation(UUID datasetId, String datasetName, int testRunNumber) {

    /** Whether nothing is in the dataset yet. */
    public boolean isFirst() {
        return testRunNumber == 1;
    }
}
