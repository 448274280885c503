package dev.waybill.common.filter;

/**
 * The parts of a run that are asked by key and value. A pair's key is the path of a value in the JSON document: member names
 * joined by dots. A list stands for its elements: a path leaves the position out, or names it.
 */
public enum PairType {
    INPUT("inputs"),
    OUTPUT("outputs"),
    METADATA("metadata"),
    /** Rows of {@code trace.feedback} on the run: the key is plain text and no path, the value is the score. */
    FEEDBACK("");

    private final String column;

    PairType(String column) {
        this.column = column;
    }

    String column() {
        return column;
    }
}
