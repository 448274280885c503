package dev.waybill.experiment.example;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/** What a request says of one example; what it does not say is null. */
final class ExampleFields {

    @Nullable
    UUID id;
    @Nullable
    UUID datasetId;
    @Nullable
    Bytes inputs;
    @Nullable
    Bytes outputs;
    @Nullable
    Bytes metadata;
    @Nullable
    List<String> splits;
    @Nullable
    UUID sourceRunId;
    @Nullable
    Instant createdAt;
    // What was given but is wrong is not also missing.
    boolean inputsGiven;
    boolean datasetGiven;
    boolean metadataGiven;
}
