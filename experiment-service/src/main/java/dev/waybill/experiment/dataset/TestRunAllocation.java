package dev.waybill.experiment.dataset;

import java.util.UUID;

/**
 * The test run number that a transaction has allocated for a new experiment; the dataset stays locked until the transaction
 * ends.
 *
 * @param testRunNumber the number of the experiment within its dataset, counted from 1
 */
public record TestRunAllocation(UUID datasetId, String datasetName, int testRunNumber) {

    /** Returns whether this is the first experiment, so the dataset is still empty. */
    public boolean isFirst() {
        return testRunNumber == 1;
    }
}
