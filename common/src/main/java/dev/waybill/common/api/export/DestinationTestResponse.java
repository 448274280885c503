package dev.waybill.common.api.export;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.audit.Auditable;

/**
 * What came of testing a destination that works: which optional rights its credentials have (interface.md 4.2 rule 4).
 *
 * @param steps in the order in which they were taken
 */
@Schema(name = "DestinationTest")
public record DestinationTestResponse(
        UUID id,
        List<Step> steps,
        Capabilities capabilities) implements Auditable {

    /**
     * One step of the test.
     *
     * @param step as refusals name it
     * @param passed whether it was allowed; only optional ones may not be
     */
    @Schema(name = "DestinationTestStep")
    public record Step(@Schema(examples = "write") String step, boolean passed) {
    }

    /**
     * The optional rights.
     *
     * @param read to verify the sizes of what was written
     * @param delete to remove the test object
     * @param abortUploads so that uploads that are given up leave nothing behind
     * @param listUploads so that such left-overs are found
     */
    @Schema(name = "DestinationCapabilities")
    public record Capabilities(boolean read, boolean delete, boolean abortUploads, boolean listUploads) {
    }
}
