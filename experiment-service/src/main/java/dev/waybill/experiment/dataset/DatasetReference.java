package dev.waybill.experiment.dataset;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The dataset that an upload means: by id, by name, or by both, which must then be of the same one.
 *
 * @param description what it is described as when it has no description yet
 */
public record DatasetReference(@Nullable UUID id, @Nullable String name, @Nullable String description) {
}
