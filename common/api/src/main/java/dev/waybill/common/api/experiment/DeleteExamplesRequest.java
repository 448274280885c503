package dev.waybill.common.api.experiment;

import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;

/** Deletes examples. */
public record DeleteExamplesRequest(
        @NotEmpty(message = "must name at least one example") @Size(max = 1000, message = "must name at most 1000 examples") List<UUID> exampleIds) {
}
