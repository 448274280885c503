package dev.waybill.export.storage;

import java.util.Set;

import dev.waybill.export.storage.FaultProxy.S3Call;

/** Rules of a {@link FaultProxy} that reject the same requests as stores other than AWS and buckets with object lock. */
public final class StrictStoreRules {

    private static final Set<String> CONTENT = Set.of("PutObject", "UploadPart");

    private StrictStoreRules() {
    }

    /** Returns whether the request has newer checksums in headers or trailers, which GCS, Ceph and older MinIO reject (F13). */
    public static boolean usesNewerChecksums(S3Call call) {
        return call.headers().entrySet().stream().anyMatch(header -> {
            String name = header.getKey().toLowerCase(java.util.Locale.ROOT);
            return name.equals("x-amz-trailer") || name.startsWith("x-amz-checksum-") || name.startsWith("x-amz-sdk-checksum-")
                    || name.equals("x-amz-decoded-content-length") || header.getValue().contains("aws-chunked")
                    || header.getValue().startsWith("STREAMING-");
        });
    }

    /** Returns whether the request has content without a checksum, which a bucket with object lock rejects. */
    public static boolean isContentWithoutChecksum(S3Call call) {
        return CONTENT.contains(call.operation()) && !call.headers().containsKey("Content-MD5")
                && call.headers().keySet().stream().noneMatch(
                        name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("x-amz-checksum-")
                                || name.equalsIgnoreCase("x-amz-trailer"));
    }
}
