package dev.waybill.export.execution;

import java.io.UncheckedIOException;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.job.ExportLifecycleService;
import dev.waybill.export.job.ManifestInput;
import io.smallrye.mutiny.Uni;

/** Writes the manifest of an export whose runs are all completed, and completes the export. */
@Singleton
class ManifestWriter {

    private final ExportLifecycleService exports;
    private final DestinationOpener destinations;
    private final ObjectMapper json;
    private final CrashPoint crash;

    ManifestWriter(ExportLifecycleService exports, DestinationOpener destinations, ObjectMapper json, CrashPoint crash) {
        this.exports = exports;
        this.destinations = destinations;
        this.json = json;
        this.crash = crash;
    }

    Uni<Void> write(ManifestInput export) {
        return destinations.open(export.lease().tenantId(), export.destinationId())
                .chain(destination -> write(export, destination)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> write(ManifestInput export, OpenDestination destination) {
        String key = export.layout().manifest();
        return destination.store().put(key, content(export), "application/json")
                .invoke(() -> crash.reached(export.lease().tenantId(), CrashPoint.Step.MANIFEST_WRITTEN))
                .chain(() -> exports.complete(export.lease()));
    }

    /** Deletes the manifest if the export was cancelled, failed or timed out while it was written. */
    Uni<Void> deleteUnlessCompleted(ManifestInput export) {
        return exports.hasEndedUncompleted(export.lease())
                .chain(ended -> ended ? delete(export) : Uni.createFrom().voidItem());
    }

    private Uni<Void> delete(ManifestInput export) {
        return destinations.open(export.lease().tenantId(), export.destinationId())
                .chain(destination -> destination.store().delete(export.layout().manifest())
                        .onTermination().invoke(destination::close));
    }

    private byte[] content(ManifestInput export) {
        try {
            return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(Manifest.of(export));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
