package dev.waybill.export.verification;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

import dev.waybill.common.id.Digests;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.run.ExportLayout;

/**
 * The content of a completed export, from its commit records.
 *
 * @param manifest with the files in the order of the manifest
 * @param rowsCounted number of rows that its runs read
 */
record ExpectedExport(ManifestInput manifest, long rowsCounted) {

    ExportLayout layout() {
        return manifest.layout();
    }

    List<ManifestInput.File> files() {
        return manifest.files();
    }

    long rows() {
        return files().stream().mapToLong(ManifestInput.File::rows).sum();
    }

    long bytes() {
        return files().stream().mapToLong(ManifestInput.File::bytes).sum();
    }

    /** Returns the SHA-256 of the lines that {@code sha256sum} prints for the files. */
    String filesSha256() {
        MessageDigest digest = Digests.newSha256();
        files().forEach(file -> digest.update((file.sha256() + "  " + file.path() + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest());
    }
}
