package dev.waybill.export.verification;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.export.MismatchKind;
import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.common.id.Digests;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.execution.Manifest;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.verification.ObjectReader.SizeMismatchException;
import io.smallrye.mutiny.Uni;

/** Reads the manifest from the bucket once and compares it with the commit records. */
@Singleton
class ManifestVerifier {

    /** Everything but the list of files, with long names of fields and a long filter. */
    private static final long MAX_HEAD_BYTES = 1 << 20;
    /** A file in the list without its path. */
    private static final long MAX_FILE_BYTES = 1 << 10;

    private final ObjectReader reader;
    private final ObjectMapper json;
    private final Blocking blocking;

    ManifestVerifier(ObjectReader reader, ObjectMapper json, Blocking blocking) {
        this.reader = reader;
        this.json = json;
        this.blocking = blocking;
    }

    /** Verifies the manifest; fails if the store does not return it for another reason than its absence. */
    Uni<ManifestResult> verify(ObjectStore store, ExpectedExport export) {
        String key = export.layout().manifest();
        return Uni.createFrom().deferred(() -> {
            ManifestComparison comparison = new ManifestComparison(export, json);
            MessageDigest digest = Digests.newSha256();
            return reader.readAtMost(store, key, maxBytes(export), content -> {
                digest.update(content);
                comparison.add(content);
            })
                    .chain(() -> blocking.call(() -> result(export, comparison, HexFormat.of().formatHex(digest.digest()))));
        })
                .onFailure(SizeMismatchException.class)
                .recoverWithItem(e -> different(key, MismatchKind.CHANGED, "The object is not the manifest of the export: "
                        + e.getMessage() + "."))
                .onFailure(e -> e instanceof StorageException storage && storage.problem() == StorageProblem.NO_SUCH_OBJECT)
                .recoverWithItem(e -> different(key, MismatchKind.MISSING, "The object does not exist."));
    }

    private static long maxBytes(ExpectedExport export) {
        return MAX_HEAD_BYTES + export.files().stream()
                .mapToLong(file -> MAX_FILE_BYTES + 2L * file.path().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    // Every attempt to write the manifest produces the same bytes. The comparison of members explains another digest, and
    // accepts other formatting.
    private ManifestResult result(ExpectedExport export, ManifestComparison comparison, String sha256) {
        byte[] written = Manifest.of(export.manifest()).toJson(json);
        if (sha256.equals(HexFormat.of().formatHex(Digests.sha256(written)))) {
            return new ManifestResult(export.rows(), sha256, null);
        }
        String difference = comparison.finish();
        return new ManifestResult(comparison.rows(), sha256, difference == null ? null
                : new ObjectMismatch(export.layout().manifest(), MismatchKind.CHANGED, difference, null, null, null, sha256));
    }

    private static ManifestResult different(String key, MismatchKind kind, String message) {
        return new ManifestResult(null, null, new ObjectMismatch(key, kind, message, null, null, null, null));
    }

    /**
     * The result for the manifest.
     *
     * @param rows number of rows that it states; null if it is missing or invalid
     * @param sha256 null if it was not read completely
     * @param mismatch null if it is intact
     */
    record ManifestResult(@Nullable Long rows, @Nullable String sha256, @Nullable ObjectMismatch mismatch) {
    }
}
