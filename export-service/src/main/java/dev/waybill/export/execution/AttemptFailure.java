package dev.waybill.export.execution;

import java.sql.SQLException;
import java.util.Optional;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.DestinationProblem;
import dev.waybill.export.parquet.ParquetRunWriter.RowCountMismatchException;
import dev.waybill.export.run.ExportRunFailure;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.trace.StaleCheckpointException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;

/**
 * The failure of an attempt: the error shown to the user and whether a retry can succeed.
 *
 * @param isPermanent whether a retry cannot succeed
 * @param needsRestart whether the uploads of earlier attempts are unusable, so that the run restarts from its first row
 */
public record AttemptFailure(ExportRunFailure error, boolean isPermanent, boolean needsRestart) {

    /** Classifies a failure. */
    public static AttemptFailure from(Throwable thrown) {
        Optional<StorageException> storage = find(thrown, StorageException.class);
        if (storage.isPresent()) {
            return from(storage.get());
        }
        if (find(thrown, RowCountMismatchException.class).isPresent()) {
            return permanent("row_count_mismatch", "The number of rows written differs from the number of rows read.");
        }
        if (find(thrown, StaleCheckpointException.class).isPresent()) {
            return new AttemptFailure(new ExportRunFailure("source_changed",
                    "Runs in files that an earlier attempt wrote were changed or deleted; the day is exported from the start."),
                    false, true);
        }
        if (find(thrown, ProblemException.class).isPresent()) {
            return permanent("destination_gone", "The destination was deleted.");
        }
        Optional<SecretUnavailableException> secret = find(thrown, SecretUnavailableException.class);
        if (secret.isPresent()) {
            return from(secret.get());
        }
        if (isDatabase(thrown)) {
            return retryable("source_unavailable", "The traces could not be read.");
        }
        return retryable("internal", "An internal error occurred.");
    }

    /** Returns the permanent failure of a run whose workers stopped without a result in every allowed attempt. */
    static AttemptFailure workersLost() {
        return new AttemptFailure(ExportRunFailure.WORKER_LOST, true, false);
    }

    /** Returns whether the store lost an upload; the run fails when that happens in two attempts. */
    boolean isUploadGone() {
        return error.code().equals(StorageProblem.UPLOAD_GONE.code());
    }

    private static AttemptFailure from(StorageException storage) {
        String sentence = String.valueOf(storage.getMessage());
        String message = DestinationProblem.of(storage.problem())
                .map(problem -> problem.title() + ": " + sentence)
                .orElse(sentence);
        return new AttemptFailure(new ExportRunFailure(storage.code(), message), storage.isPermanent(),
                storage.problem() == StorageProblem.UPLOAD_GONE);
    }

    // While an operator rolls out encryption keys, another replica may have a key that this one lacks.
    private static AttemptFailure from(SecretUnavailableException secret) {
        return new AttemptFailure(new ExportRunFailure("credentials_unavailable", DestinationOpener.CREDENTIALS_UNAVAILABLE),
                !secret.isKeyMissing(), false);
    }

    private static boolean isDatabase(Throwable thrown) {
        return find(thrown, SQLException.class).isPresent() || find(thrown, PgException.class).isPresent()
                || find(thrown, VertxException.class).isPresent();
    }

    private static AttemptFailure permanent(String code, String message) {
        return new AttemptFailure(new ExportRunFailure(code, message), true, false);
    }

    private static AttemptFailure retryable(String code, String message) {
        return new AttemptFailure(new ExportRunFailure(code, message), false, false);
    }

    private static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> kind) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }
}
