package dev.waybill.experiment.attachment;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.AttachmentResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.attachment.AttachmentRepository.Range;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.run.RunLookupService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** Reads attachments of runs. */
@Singleton
class AttachmentService {

    // Memory per download. No database connection is held between two chunks, so a slow client does not block others.
    private static final int CHUNK_SIZE = 256 * 1024;

    private final Database database;
    private final AttachmentRepository attachments;
    private final RunLookupService runs;

    AttachmentService(Database database, AttachmentRepository attachments, RunLookupService runs) {
        this.database = database;
        this.attachments = attachments;
        this.runs = runs;
    }

    /** Returns the run's attachments sorted by name; 404 if the run does not exist. */
    Uni<List<AttachmentResponse>> list(UUID tenantId, UUID runId) {
        return database.inWorkspace(tenantId, connection -> attachments.list(connection, tenantId, runId))
                .call(found -> found.isEmpty() ? requireRun(tenantId, runId) : Uni.createFrom().voidItem());
    }

    /** Returns the attachment; 404 if it does not exist. */
    Uni<AttachmentResponse> get(UUID tenantId, UUID runId, String name) {
        // Stored names contain only characters that PostgreSQL supports, so the requested name is converted too.
        return database
                .inWorkspace(tenantId, connection -> attachments.find(connection, tenantId, runId, Texts.storable(name)))
                .map(found -> found.orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "Run " + runId + " in this workspace has no attachment of this name.")));
    }

    /** Returns the content in chunks, each read when the subscriber requests it. */
    Multi<byte[]> content(UUID tenantId, UUID runId, AttachmentResponse attachment) {
        int chunks = (attachment.size() + CHUNK_SIZE - 1) / CHUNK_SIZE;
        return Multi.createFrom().items(() -> IntStream.range(0, chunks).boxed())
                .onItem().transformToUniAndConcatenate(number -> chunk(tenantId, runId, attachment.name(), number))
                .map(Buffer::getBytes);
    }

    private Uni<Buffer> chunk(UUID tenantId, UUID runId, String name, int number) {
        Range range = new Range(number * CHUNK_SIZE, CHUNK_SIZE);
        return database.inWorkspace(tenantId, connection -> attachments.readChunk(connection, tenantId, runId, name, range))
                .onItem().ifNull()
                .failWith(() -> new IllegalStateException("the attachment was deleted while it was being read"));
    }

    private Uni<Void> requireRun(UUID tenantId, UUID runId) {
        return runs.findDottedOrder(tenantId, runId)
                .map(place -> place.orElseThrow(() -> ProblemException.notFound("run", runId)))
                .replaceWithVoid();
    }
}
