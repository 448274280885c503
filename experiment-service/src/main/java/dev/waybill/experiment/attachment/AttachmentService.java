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
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.RunService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** The files of runs. */
@Singleton
class AttachmentService {

    // What one reader holds at a time; a slow one holds no connection between two pieces.
    private static final int PIECE = 256 * 1024;

    private final Database database;
    private final AttachmentRepository attachments;
    private final RunService runs;

    AttachmentService(Database database, AttachmentRepository attachments, RunService runs) {
        this.database = database;
        this.attachments = attachments;
        this.runs = runs;
    }

    /** The run's files by name; 404 when there is no such run. */
    Uni<List<AttachmentResponse>> list(UUID tenantId, UUID runId) {
        return database.inWorkspace(tenantId, connection -> attachments.list(connection, tenantId, runId))
                .call(found -> found.isEmpty() ? requireRun(tenantId, runId) : Uni.createFrom().voidItem());
    }

    /** One of them; 404 when it is not there. */
    Uni<AttachmentResponse> get(UUID tenantId, UUID runId, String name) {
        // Names were stored as PostgreSQL can keep them.
        return database
                .inWorkspace(tenantId, connection -> attachments.find(connection, tenantId, runId, JsonValues.storable(name)))
                .map(found -> found.orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "There is no attachment of this name of a run " + runId + " in this workspace.")));
    }

    /** Its bytes, piece by piece as they are asked for. */
    Multi<byte[]> content(UUID tenantId, UUID runId, AttachmentResponse attachment) {
        int pieces = (attachment.size() + PIECE - 1) / PIECE;
        return Multi.createFrom().items(() -> IntStream.range(0, pieces).boxed())
                .onItem().transformToUniAndConcatenate(number -> piece(tenantId, runId, attachment.name(), number))
                .map(Buffer::getBytes);
    }

    private Uni<Buffer> piece(UUID tenantId, UUID runId, String name, int number) {
        Range range = new Range(number * PIECE, PIECE);
        return database.inWorkspace(tenantId, connection -> attachments.piece(connection, tenantId, runId, name, range))
                .onItem().ifNull().failWith(() -> new IllegalStateException("an attachment was deleted while it was read"));
    }

    private Uni<Void> requireRun(UUID tenantId, UUID runId) {
        return runs.findPlace(tenantId, runId)
                .map(place -> place.orElseThrow(() -> ProblemException.notFound("run", runId)))
                .replaceWithVoid();
    }
}
