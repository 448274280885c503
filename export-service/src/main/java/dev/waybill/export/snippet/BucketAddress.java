package dev.waybill.export.snippet;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is.
 *
 * @param endpoint null for AWS
 * @param virtualHost whether the endpoint takes the bucket's name in its host only
 */
record BucketAddress(String name, @Nullable String region, @Nullable URI endpoint, boolean virtualHost) {

    private static final String GCS = "storage.googleapis.com";

    boolean isAws() {
        return endpoint == null;
    }

    boolean isGcs() {
        return endpoint != null && GCS.equalsIgnoreCase(endpoint.getHost());
    }

    /** The region; stores that have none do not mind which one is named. */
    String regionOrDefault() {
        return region == null ? "us-east-1" : region;
    }

    /** The address of the store's own interface, without a slash at its end. */
    String endpointUrl() {
        return endpoint == null ? "https://s3." + regionOrDefault() + ".amazonaws.com"
                : endpoint.toString().replaceFirst("/+$", "");
    }

    /** Host and port of the endpoint. */
    String authority() {
        return endpointUrl().replaceFirst("^[a-zA-Z]+://", "");
    }

    /** The address with the bucket's name in it, without a slash at its end. */
    String bucketUrl() {
        return virtualHost ? endpointUrl().replaceFirst("//", "//" + name + ".") : endpointUrl() + "/" + name;
    }

    boolean isPlainHttp() {
        return endpoint != null && "http".equalsIgnoreCase(endpoint.getScheme());
    }
}
