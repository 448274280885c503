package dev.waybill.export.parquet;

/** The encoding of a column's pages. */
enum PageSettings {
    /** For few distinct values: dictionary encoding. */
    DICTIONARY,
    /** For values by which rows are sorted: plain encoding, in small pages with statistics, so that readers can skip pages. */
    ORDERED,
    /** For mostly unique values: plain encoding, in small pages without statistics, which would exclude nothing. */
    PLAIN,
    /**
     * For long text: dictionary encoding while it saves space, then plain encoding, in large pages, because text repeats over
     * many rows.
     */
    LONG
}
