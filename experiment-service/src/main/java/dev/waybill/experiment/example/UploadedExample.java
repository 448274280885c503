package dev.waybill.experiment.example;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/**
 * An example in an upload.
 *
 * @param rowId identifies the example within its dataset
 * @param outputs null keeps the existing outputs
 */
public record UploadedExample(UUID rowId, Bytes inputs, @Nullable Bytes outputs) {
}
