package dev.waybill.export.execution;

import java.sql.SQLException;
import java.util.Optional;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.DestinationProblem;
import dev.waybill.export.parquet.RowCountMismatchException;
import dev.waybill.export.run.RunFailure;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.trace.StaleCheckpointException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;

/**
 * What went wrong in an attempt, in words for the user, and what to do about it.
 *
 * @param isPermanent trying again cannot mend it
 * @param needsStartOver what earlier attempts uploaded cannot be used any more
 */
record Failure(RunFailure told, boolean isPermanent, boolean needsStartOver) {

    static Failure from(Throwable thrown) {
        Optional<StorageException> storage = find(thrown, StorageException.class);
        if (storage.isPresent()) {
            return from(storage.get());
        }
        if (find(thrown, RowCountMismatchException.class).isPresent()) {
            return permanent("row_count_mismatch", "The rows that were read are not the rows that were written.");
        }
        if (find(thrown, StaleCheckpointException.class).isPresent()) {
            return new Failure(new RunFailure("source_changed",
                    "Runs of files that were written already have been changed or removed; the day is exported from the start."),
                    false, true);
        }
        if (find(thrown, ProblemException.class).isPresent()) {
            return permanent("destination_gone", "The destination does not exist any more.");
        }
        Optional<SecretUnavailableException> secret = find(thrown, SecretUnavailableException.class);
        if (secret.isPresent()) {
            return from(secret.get());
        }
        if (isDatabase(thrown)) {
            return passing("source_unavailable", "The traces could not be read.");
        }
        return passing("internal", "Something went wrong on our side.");
    }

    /** The last attempt that was allowed ended without a word; another one would end as it did. */
    static Failure workersLost() {
        return new Failure(RunFailure.WORKER_LOST, true, false);
    }

    /** Whether the store has lost an upload: once more, and the run fails. */
    boolean isUploadGone() {
        return told.code().equals(StorageProblem.UPLOAD_GONE.code());
    }

    private static Failure from(StorageException storage) {
        String sentence = String.valueOf(storage.getMessage());
        String message = DestinationProblem.of(storage.problem())
                .map(problem -> problem.title() + ": " + sentence)
                .orElse(sentence);
        return new Failure(new RunFailure(storage.code(), message), storage.isPermanent(),
                storage.problem() == StorageProblem.UPLOAD_GONE);
    }

    // A key that is missing here may be there where the run is tried next, while the operator rolls keys out.
    private static Failure from(SecretUnavailableException secret) {
        return new Failure(new RunFailure("credentials_unavailable", DestinationOpener.CREDENTIALS_UNAVAILABLE),
                !secret.isKeyMissing(), false);
    }

    private static boolean isDatabase(Throwable thrown) {
        return find(thrown, SQLException.class).isPresent() || find(thrown, PgException.class).isPresent()
                || find(thrown, VertxException.class).isPresent();
    }

    private static Failure permanent(String code, String message) {
        return new Failure(new RunFailure(code, message), true, false);
    }

    private static Failure passing(String code, String message) {
        return new Failure(new RunFailure(code, message), false, false);
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
