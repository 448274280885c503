package dev.waybill.common.application;

import java.nio.file.Path;
import java.util.List;

/** The application cannot be served; the message contains the file and all its errors. */
public final class InvalidApplicationException extends RuntimeException {

    private final List<String> errors;

    InvalidApplicationException(Path file, List<String> errors) {
        super(file + (errors.size() == 1 ? ": " : " has " + errors.size() + " errors:\n  - ") + String.join("\n  - ", errors),
                null, false, false);
        this.errors = List.copyOf(errors);
    }

    /** Returns the errors, one sentence each. */
    public List<String> errors() {
        return errors;
    }
}
