package dev.waybill.export.destination;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.api.export.DestinationTestResponse;
import dev.waybill.export.destination.OpenDestination.Capabilities;
import dev.waybill.export.destination.ProbeFailure.ProbeStep;
import dev.waybill.export.storage.AddressingStyle;

/**
 * The result of a successful validation, stored with the destination and used by its exports.
 *
 * @param addressing the addressing style that the store accepted
 */
record ProbeResult(Capabilities capabilities, AddressingStyle addressing) {

    /** Returns the response of a test of the destination {@code id}. */
    DestinationTestResponse toResponse(UUID id) {
        List<DestinationTestResponse.Step> steps = Arrays.stream(ProbeStep.values())
                .map(step -> new DestinationTestResponse.Step(step.toString(), passed(step)))
                .toList();
        return new DestinationTestResponse(id, steps, new DestinationTestResponse.Capabilities(capabilities.read(),
                capabilities.delete(), capabilities.abort(), capabilities.listUploads()));
    }

    private boolean passed(ProbeStep step) {
        return switch (step) {
            case ADDRESS, CONNECT, SIGNATURE, BUCKET, WRITE, MULTIPART -> true;
            case READ -> capabilities.read();
            case DELETE -> capabilities.delete();
        };
    }
}
