package dev.waybill.common.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;

/** Describes why a JSON document could not be parsed. */
public final class MalformedJson {

    private static final String DUPLICATE_NAME = "Duplicate";

    private MalformedJson() {
    }

    /** Returns the reason and its position, to follow the name of the document. */
    public static String reason(JacksonException failure) {
        String message = failure.getOriginalMessage();
        String reason = message != null && message.startsWith(DUPLICATE_NAME)
                ? "has two members of the same name in one object"
                : "is not one well-formed JSON document";
        JsonLocation at = failure.getLocation();
        return at == null ? reason : reason + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }
}
