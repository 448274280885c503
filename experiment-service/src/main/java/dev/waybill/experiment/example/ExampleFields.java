package dev.waybill.experiment.example;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/** The members of one example in a request; absent members are null. */
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
    // An invalid member must not also be reported as missing.
    boolean inputsGiven;
    boolean datasetGiven;
    boolean metadataGiven;
}
