package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Ids of the examples that a request created or changed, in the order of the request. */
public record ChangedExamplesResponse(@Schema(examples = "1") int count, List<UUID> exampleIds) {

    /** Creates the response for these ids. */
    public static ChangedExamplesResponse of(List<UUID> ids) {
        return new ChangedExamplesResponse(ids.size(), ids);
    }
}
