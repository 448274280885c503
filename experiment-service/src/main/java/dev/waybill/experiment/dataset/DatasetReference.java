package dev.waybill.experiment.dataset;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The dataset of an upload, by id, by name, or by both, which must then name the same dataset.
 *
 * @param description the description for a dataset that has none
 */
public record DatasetReference(@Nullable UUID id, @Nullable String name, @Nullable String description) {
}
