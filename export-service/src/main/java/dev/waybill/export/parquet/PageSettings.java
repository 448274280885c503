package dev.waybill.export.parquet;

/** How a column's values are laid out in pages. */
enum PageSettings {
    /** Few distinct values: a dictionary. */
    DICTIONARY,
    /** Values that order the rows: as they are, in small pages with statistics, so that readers can skip by them. */
    ORDERED,
    /** Hardly a value twice: as they are, in small pages, without statistics that could exclude nothing. */
    PLAIN,
    /** Long text: a dictionary while that pays, then as it is, in large pages, for text repeats itself over many rows. */
    LONG
}
