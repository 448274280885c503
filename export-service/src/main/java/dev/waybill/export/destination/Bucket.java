package dev.waybill.export.destination;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.StorageCredentials;

/**
 * A bucket as a destination names it.
 *
 * @param prefix without slashes around it; may be empty
 * @param endpointUrl null for AWS
 */
record Bucket(String name, String prefix, @Nullable String region, @Nullable String endpointUrl, boolean inPrefix) {

    /** @param location as it came in, valid */
    static Bucket from(BucketLocation location) {
        return new Bucket(location.bucketName(), location.prefix(), location.region(),
                location.endpointUrl(), Boolean.TRUE.equals(location.includeBucketInPrefix()));
    }

    BucketLocation toLocation() {
        return new BucketLocation(name, prefix, region, endpointUrl, inPrefix);
    }

    BucketAccess access(@Nullable URI endpoint, @Nullable StorageCredentials credentials) {
        return new BucketAccess(name, region, endpoint, credentials);
    }

    /** What every key begins with: empty, or ends with a slash. */
    String keyPrefix() {
        return (inPrefix ? name + "/" : "") + (prefix.isEmpty() ? "" : prefix + "/");
    }
}
