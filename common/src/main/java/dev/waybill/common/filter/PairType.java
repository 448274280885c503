package dev.waybill.common.filter;

/**
 * The parts of a run that are filtered by key and value. The key of a pair is the path of a value in the JSON document: member
 * names joined by dots. The index of a list element is optional in the path; without it, the path matches any element.
 */
public enum PairType {
    INPUT("inputs"),
    OUTPUT("outputs"),
    METADATA("metadata"),
    /** Rows of {@code trace.feedback} on the run: the key is plain text without a path, the value is the score. */
    FEEDBACK("");

    private final String column;

    PairType(String column) {
        this.column = column;
    }

    String column() {
        return column;
    }
}
