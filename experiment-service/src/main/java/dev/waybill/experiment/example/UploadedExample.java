package dev.waybill.experiment.example;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/**
 * What an upload says of an example.
 *
 * @param rowId who it is within its dataset
 * @param outputs null leaves those it has
 */
public record UploadedExample(UUID rowId, Bytes inputs, @Nullable Bytes outputs) {
}
