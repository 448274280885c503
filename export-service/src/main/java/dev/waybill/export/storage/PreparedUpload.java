package dev.waybill.export.storage;

import java.util.List;

/**
 * An object all of whose parts are in the store and which nobody sees yet: what a commit record holds, so that any later
 * process can make the object visible (docs/architecture.md "Export").
 *
 * @param sha256 of the whole object, lower-case hexadecimal
 */
public record PreparedUpload(String key, String uploadId, List<UploadedPart> parts, long size, String sha256) {

    public PreparedUpload {
        parts = List.copyOf(parts);
    }
}
