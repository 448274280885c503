package dev.waybill.export.execution;

import java.io.UncheckedIOException;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.job.ExportOutcomeService;
import dev.waybill.export.job.FinishedExport;
import io.smallrye.mutiny.Uni;

/** Writes the manifest of an export whose runs are all completed, and with it completes the export. */
@Singleton
class ManifestWriter {

    private final ExportOutcomeService outcomes;
    private final DestinationOpener destinations;
    private final ObjectMapper json;
    private final CrashPoint crash;

    ManifestWriter(ExportOutcomeService outcomes, DestinationOpener destinations, ObjectMapper json, CrashPoint crash) {
        this.outcomes = outcomes;
        this.destinations = destinations;
        this.json = json;
        this.crash = crash;
    }

    Uni<Void> write(FinishedExport export) {
        return destinations.open(export.lease().tenantId(), export.destinationId())
                .chain(destination -> write(export, destination)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> write(FinishedExport export, OpenDestination destination) {
        String key = export.layout().manifest();
        return destination.store().put(key, content(export), "application/json")
                .invoke(() -> crash.reached(export.lease().tenantId(), CrashPoint.Step.MANIFEST_WRITTEN))
                .chain(() -> outcomes.complete(export.lease()));
    }

    /** Removes what may have been written of an export that was cancelled meanwhile: its promise would be a wrong one. */
    Uni<Void> takeBack(FinishedExport export) {
        return outcomes.hasEndedOtherwise(export.lease())
                .chain(ended -> ended ? remove(export) : Uni.createFrom().voidItem());
    }

    private Uni<Void> remove(FinishedExport export) {
        return destinations.open(export.lease().tenantId(), export.destinationId())
                .chain(destination -> destination.store().delete(export.layout().manifest())
                        .onTermination().invoke(destination::close));
    }

    private byte[] content(FinishedExport export) {
        try {
            return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(Manifest.of(export));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
