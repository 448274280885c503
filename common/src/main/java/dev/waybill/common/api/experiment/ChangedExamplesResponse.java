package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Which examples a request made or changed, in its order. */
public record ChangedExamplesResponse(@Schema(examples = "1") int count, List<UUID> exampleIds) {

    /** As many as there are ids. */
    public static ChangedExamplesResponse of(List<UUID> ids) {
        return new ChangedExamplesResponse(ids.size(), ids);
    }
}
