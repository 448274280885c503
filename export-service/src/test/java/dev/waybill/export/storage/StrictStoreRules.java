package dev.waybill.export.storage;

import java.util.Set;

import dev.waybill.export.storage.FaultProxy.S3Call;

/** What stores other than AWS refuse, and what buckets with object locks do: rules for a {@link FaultProxy}. */
public final class StrictStoreRules {

    private static final Set<String> CONTENT = Set.of("PutObject", "UploadPart");

    private StrictStoreRules() {
    }

    /** Checksums of the newer kind, in headers or trailers, as GCS, Ceph and older MinIO refuse them (F13). */
    public static boolean usesNewerChecksums(S3Call call) {
        return call.headers().entrySet().stream().anyMatch(header -> {
            String name = header.getKey().toLowerCase(java.util.Locale.ROOT);
            return name.equals("x-amz-trailer") || name.startsWith("x-amz-checksum-") || name.startsWith("x-amz-sdk-checksum-")
                    || name.equals("x-amz-decoded-content-length") || header.getValue().contains("aws-chunked")
                    || header.getValue().startsWith("STREAMING-");
        });
    }

    /** Content that nothing vouches for, as a bucket with object locks refuses it. */
    public static boolean isContentWithoutChecksum(S3Call call) {
        return CONTENT.contains(call.operation()) && !call.headers().containsKey("Content-MD5")
                && call.headers().keySet().stream().noneMatch(
                        name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("x-amz-checksum-")
                                || name.equalsIgnoreCase("x-amz-trailer"));
    }
}
