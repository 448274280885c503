package dev.waybill.export.preview;

/**
 * Statistics of repeated texts in a sample.
 *
 * @param bytes the size of all texts
 * @param bytesInBlocks the size of the texts that are distinct within their block
 * @param distinctBytes the size of the distinct texts of all blocks
 * @param values the number of texts that are distinct within their block
 * @param repeats the number of those that another block also contains
 */
record RepetitionStats(long bytes, long bytesInBlocks, long distinctBytes, long values, long repeats) {

    /** A dictionary is written if it saves at least a fifth. */
    private static final double DICTIONARY_THRESHOLD = 0.8;

    /** Returns the share of the sample's text that its file contains, without repeated texts. */
    double writtenShare() {
        return share(distinctBytes, bytes);
    }

    /**
     * Returns the share of a day's text that its files contain, if each text is chosen randomly from a pool.
     *
     * @param dayBytes the size of a day's text
     * @param dictionaryBytes the maximum size of one dictionary
     * @param repeats the number of repeats from which the size of the pool is estimated
     */
    double dayShare(double dayBytes, double dictionaryBytes, double repeats) {
        if (bytesInBlocks == 0) {
            return 1;
        }
        double inBlocks = dayBytes * bytesInBlocks / bytes;
        double estimatePool = estimatePool(repeats);
        double distinct = Double.isInfinite(estimatePool) ? inBlocks : -estimatePool * Math.expm1(-inBlocks / estimatePool);
        if (distinct > dictionaryBytes) {
            // A row group starts a new dictionary when the previous one is full.
            double covered = estimatePool > dictionaryBytes && !Double.isInfinite(estimatePool)
                    ? -estimatePool * Math.log1p(-dictionaryBytes / estimatePool)
                    : dictionaryBytes;
            distinct = inBlocks * Math.min(1, dictionaryBytes / covered);
        }
        return share(distinct, dayBytes);
    }

    /** Returns the lower bound of the number of repeats within two standard deviations. */
    double minRepeats() {
        return Math.max(0, repeats - 2 * Math.sqrt(repeats));
    }

    /** Returns the upper bound of the number of repeats within two standard deviations. */
    double maxRepeats() {
        return repeats + 2 * Math.sqrt(repeats) + 3;
    }

    private static double share(double written, double all) {
        return all == 0 || written > DICTIONARY_THRESHOLD * all ? 1 : written / all;
    }

    // Estimates the size of the pool from the sampled size and the number of repeats.
    private double estimatePool(double expectedRepeats) {
        double distinct = bytesInBlocks * (1 - Math.min(expectedRepeats / values, 1));
        if (distinct >= bytesInBlocks * (1 - 1e-9)) {
            return Double.POSITIVE_INFINITY;
        }
        double low = 1;
        double high = 1e18;
        for (int i = 0; i < 100; i++) {
            double middle = Math.sqrt(low * high);
            if (-middle * Math.expm1(-bytesInBlocks / middle) < distinct) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
