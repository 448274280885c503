package dev.waybill.local.tour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;

/**
 * The downloaded files of an export, verified with its manifest.
 *
 * @param manifest the manifest
 * @param files the Parquet files, in folders named as in the bucket
 */
public record ExportedFiles(JsonNode manifest, List<Path> files) {

    /** Downloads the files of an export. Fails if they differ from the manifest. */
    public static ExportedFiles download(Bucket bucket, String prefix, UUID exportId, Path folder) {
        List<String> keys = bucket.keys((prefix.isEmpty() ? "" : prefix + "/") + "export_id=" + exportId + "/");
        String manifestKey = keys.stream()
                .filter(key -> key.endsWith("/_manifest.json"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("export " + exportId + " has no manifest"));
        JsonNode manifest = Json.parse(bucket.read(manifestKey));
        List<Path> files = new ArrayList<>();
        for (JsonNode listed : manifest.required("files")) {
            Path file = bucket.download(listed.required("path").textValue(), folder);
            require(size(file) == listed.required("bytes").asLong(), listed, "size");
            require(sha256(file).equals(listed.required("sha256").textValue()), listed, "hash");
            files.add(file);
        }
        if (keys.size() != files.size() + 1) {
            throw new IllegalStateException(
                    "the bucket contains " + (keys.size() - 1) + " files, the manifest lists " + files.size());
        }
        return new ExportedFiles(manifest, List.copyOf(files));
    }

    public long rows() {
        return manifest.required("rows").asLong();
    }

    public long bytes() {
        return manifest.required("bytes").asLong();
    }

    private static void require(boolean holds, JsonNode listed, String property) {
        if (!holds) {
            throw new IllegalStateException(
                    "the " + property + " of " + listed.required("path").textValue() + " differs from the manifest");
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
