package dev.waybill.common.application;

import java.nio.file.Path;
import java.util.List;

/** The application cannot be served as it describes itself; the message names the file and everything that is wrong with it. */
public final class ApplicationFaultException extends RuntimeException {

    private final List<String> faults;

    ApplicationFaultException(Path file, List<String> faults) {
        super(file + (faults.size() == 1 ? ": " : " has " + faults.size() + " faults:\n  - ") + String.join("\n  - ", faults),
                null, false, false);
        this.faults = List.copyOf(faults);
    }

    /** Each of them, as one sentence. */
    public List<String> faults() {
        return faults;
    }
}
