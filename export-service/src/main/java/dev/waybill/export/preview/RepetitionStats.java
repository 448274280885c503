package dev.waybill.export.preview;

/**
 * How texts of a sample repeat themselves.
 *
 * @param bytes of all of them
 * @param bytesInBlocks of those that differ within their block
 * @param distinctBytes of those that differ at all
 * @param values how many differ within their block
 * @param repeats how many of these were in another block as well
 */
record RepetitionStats(long bytes, long bytesInBlocks, long distinctBytes, long values, long repeats) {

    /** A dictionary is written where it saves a fifth. */
    private static final double DICTIONARY_THRESHOLD = 0.8;

    /** Returns the share of the sample's text that is in its file once repeated texts are left out. */
    double writtenShare() {
        return share(distinctBytes, bytes);
    }

    /**
     * Returns the share of the text that is in a day's files, when each text is taken at random from a pool.
     *
     * @param dayBytes the text of a day
     * @param dictionaryBytes what one dictionary may hold
     * @param repeats how many repeats the pool's size is estimated from
     */
    double dayShare(double dayBytes, double dictionaryBytes, double repeats) {
        if (bytesInBlocks == 0) {
            return 1;
        }
        double inBlocks = dayBytes * bytesInBlocks / bytes;
        double estimatePool = estimatePool(repeats);
        double distinct = Double.isInfinite(estimatePool) ? inBlocks : -estimatePool * Math.expm1(-inBlocks / estimatePool);
        if (distinct > dictionaryBytes) {
            // Each row group begins a dictionary anew when the one before is full.
            double covered = estimatePool > dictionaryBytes && !Double.isInfinite(estimatePool)
                    ? -estimatePool * Math.log1p(-dictionaryBytes / estimatePool)
                    : dictionaryBytes;
            distinct = inBlocks * Math.min(1, dictionaryBytes / covered);
        }
        return share(distinct, dayBytes);
    }

    /** Returns a low estimate of how many repeats such a sample has, of the many that chance could have brought. */
    double fewestRepeats() {
        return Math.max(0, repeats - 2 * Math.sqrt(repeats));
    }

    /** Returns a high estimate of the same. */
    double mostRepeats() {
        return repeats + 2 * Math.sqrt(repeats) + 3;
    }

    private static double share(double written, double all) {
        return all == 0 || written > DICTIONARY_THRESHOLD * all ? 1 : written / all;
    }

    // How large a pool is of which so much was taken with so few repeats.
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
