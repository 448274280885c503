package dev.waybill.export.storage;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * A bucket and how to get at it.
 *
 * @param region null where the endpoint needs none
 * @param endpoint null for AWS
 * @param addressing how the endpoint is told the bucket's name
 * @param credentials null for those of the environment, which never go to an endpoint that a customer names
 * @param settings what objects are written with
 */
public record BucketAccess(String bucket, @Nullable String region, @Nullable URI endpoint, AddressingStyle addressing,
        @Nullable StorageCredentials credentials, ObjectSettings settings) {

    public BucketAccess {
        if (endpoint != null && credentials == null) {
            throw new IllegalArgumentException("environment credentials never go to a customer's endpoint");
        }
    }

    /** A bucket whose objects are written with its defaults. */
    public BucketAccess(String bucket, @Nullable String region, @Nullable URI endpoint, AddressingStyle addressing,
            @Nullable StorageCredentials credentials) {
        this(bucket, region, endpoint, addressing, credentials, ObjectSettings.DEFAULTS);
    }
}
