package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How an object in the bucket differs from the export. */
@Schema(enumeration = { "missing", "truncated", "changed", "unexpected" })
public enum MismatchKind {
    /** The object does not exist. */
    MISSING("missing"),
    /** The object is shorter than the written file. */
    TRUNCATED("truncated"),
    /** The object has other content. */
    CHANGED("changed"),
    /** The export did not write the object. */
    UNEXPECTED("unexpected");

    private final String wireName;

    MismatchKind(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String toString() {
        return wireName;
    }
}
