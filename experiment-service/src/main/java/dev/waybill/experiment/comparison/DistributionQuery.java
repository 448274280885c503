package dev.waybill.experiment.comparison;

import java.util.UUID;

/**
 * Requests the distribution of one feedback key.
 *
 * @param bins approximate number of bins of the histogram
 */
record DistributionQuery(String key, UUID experiment, UUID baseline, int bins) {

    /** Returns all values, for keys of caches and entity tags. */
    Object[] values() {
        return new Object[] { key, experiment, baseline, bins };
    }
}
