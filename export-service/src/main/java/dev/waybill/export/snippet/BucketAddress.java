package dev.waybill.export.snippet;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * The address of a bucket.
 *
 * @param endpoint null for AWS
 * @param virtualHost whether the endpoint requires virtual-hosted-style addresses
 */
record BucketAddress(String name, @Nullable String region, @Nullable URI endpoint, boolean virtualHost) {

    private static final String GCS = "storage.googleapis.com";

    boolean isAws() {
        return endpoint == null;
    }

    boolean isGcs() {
        return endpoint != null && GCS.equalsIgnoreCase(endpoint.getHost());
    }

    /** Returns the region, or a default, which stores without regions ignore. */
    String regionOrDefault() {
        return region == null ? "us-east-1" : region;
    }

    /** Returns the URL of the store's API, without a trailing slash. */
    String endpointUrl() {
        return endpoint == null ? "https://s3." + regionOrDefault() + ".amazonaws.com"
                : endpoint.toString().replaceFirst("/+$", "");
    }

    /** Returns host and port of the endpoint. */
    String authority() {
        return endpointUrl().replaceFirst("^[a-zA-Z]+://", "");
    }

    /** Returns the URL of the bucket, without a trailing slash. */
    String bucketUrl() {
        return virtualHost ? endpointUrl().replaceFirst("//", "//" + name + ".") : endpointUrl() + "/" + name;
    }

    boolean isPlainHttp() {
        return endpoint != null && "http".equalsIgnoreCase(endpoint.getScheme());
    }
}
