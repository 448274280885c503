package dev.waybill.common.api.export;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.api.Auditable;

/**
 * The result of a successful destination test: the optional permissions of its credentials.
 *
 * @param steps in the order of execution
 */
@Schema(name = "DestinationTest")
public record DestinationTestResponse(
        UUID id,
        List<Step> steps,
        Capabilities capabilities) implements Auditable {

    /**
     * One step of the test.
     *
     * @param step name of the step, as in error responses
     * @param passed whether the step was permitted; only optional steps can fail
     */
    @Schema(name = "DestinationTestStep")
    public record Step(@Schema(examples = "write") String step, boolean passed) {
    }

    /**
     * The optional permissions.
     *
     * @param read for verifying the sizes of written files
     * @param delete for removing the test object
     * @param abortUploads for removing abandoned multipart uploads
     * @param listUploads for finding abandoned multipart uploads
     */
    @Schema(name = "DestinationCapabilities")
    public record Capabilities(boolean read, boolean delete, boolean abortUploads, boolean listUploads) {
    }
}
