package dev.waybill.export.verification;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.OptionalLong;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.MismatchKind;
import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.common.id.Digests;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.parquet.FileFooter;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.verification.CheckedFiles.FileResult;
import dev.waybill.export.verification.ObjectReader.SizeMismatchException;
import io.smallrye.mutiny.Uni;

/** Reads a file from the bucket once and compares its size, digest and number of rows with its commit record. */
@Singleton
class FileVerifier {

    private final ObjectReader reader;

    FileVerifier(ObjectReader reader) {
        this.reader = reader;
    }

    /** Verifies a file; fails if the store does not return it for another reason than its absence. */
    Uni<FileResult> verify(ObjectStore store, ExpectedExport export, int index) {
        ManifestInput.File file = export.files().get(index);
        return Uni.createFrom().deferred(() -> {
            FileContent content = new FileContent();
            return reader.read(store, file.path(), file.bytes(), content::add)
                    .map(ignored -> content.result(file, index));
        })
                .onFailure(SizeMismatchException.class)
                .recoverWithItem(e -> new FileResult(index, 0, otherSize(file, ((SizeMismatchException) e).size())))
                .onFailure(FileVerifier::isAbsent)
                .recoverWithUni(e -> requireReading(store, export, (StorageException) e)
                        .replaceWith(() -> new FileResult(index, 0, missing(file, (StorageException) e))));
    }

    private static boolean isAbsent(Throwable failure) {
        return is(failure, StorageProblem.NO_SUCH_OBJECT) || is(failure, StorageProblem.ACCESS_DENIED);
    }

    // Without the permission to list, S3 denies access to objects that do not exist. The credentials may also have lost the
    // permission to read since the manifest was read, which says nothing about the file.
    private static Uni<Void> requireReading(ObjectStore store, ExpectedExport export, StorageException failure) {
        return failure.problem() == StorageProblem.NO_SUCH_OBJECT ? Uni.createFrom().voidItem()
                : store.getRange(export.layout().manifest(), 0, 1)
                        .replaceWithVoid()
                        .onFailure(e -> is(e, StorageProblem.NO_SUCH_OBJECT)).recoverWithNull();
    }

    private static boolean is(Throwable failure, StorageProblem problem) {
        return failure instanceof StorageException storage && storage.problem() == problem;
    }

    private static ObjectMismatch missing(ManifestInput.File file, StorageException failure) {
        return mismatch(file, MismatchKind.MISSING, failure.problem() == StorageProblem.NO_SUCH_OBJECT
                ? "The object does not exist."
                : "The store denies access to the object: it does not exist, or the credentials may not read it.",
                null, null);
    }

    private static ObjectMismatch otherSize(ManifestInput.File file, long size) {
        return mismatch(file, size < file.bytes() ? MismatchKind.TRUNCATED : MismatchKind.CHANGED,
                "The object has " + size + " bytes instead of " + file.bytes() + ".", size, null);
    }

    private static ObjectMismatch mismatch(ManifestInput.File file, MismatchKind kind, String message, @Nullable Long bytes,
            @Nullable String sha256) {
        return new ObjectMismatch(file.path(), kind, message, file.bytes(), bytes, file.sha256(), sha256);
    }

    /** The digest of a file, and its last range, which contains the footer. */
    private static final class FileContent {

        private final MessageDigest digest = Digests.newSha256();
        private byte[] last = new byte[0];

        private void add(byte[] range) {
            digest.update(range);
            last = range;
        }

        private FileResult result(ManifestInput.File file, int index) {
            String sha256 = HexFormat.of().formatHex(digest.digest());
            if (!sha256.equals(file.sha256())) {
                return new FileResult(index, 0, mismatch(file, MismatchKind.CHANGED,
                        "The SHA-256 of the object differs.", file.bytes(), sha256));
            }
            // Only after the digest: the parser of footers expects files of this service.
            OptionalLong rows = FileFooter.rows(last);
            return rows.isPresent() && rows.getAsLong() == file.rows() ? new FileResult(index, file.rows(), null)
                    : new FileResult(index, rows.orElse(0), mismatch(file, MismatchKind.CHANGED,
                            "The footer does not contain the number of rows that were encoded, " + file.rows() + ".",
                            file.bytes(), sha256));
        }
    }
}
