package dev.waybill.export.storage;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * A bucket with everything required to access it.
 *
 * @param type the type of the store, which selects its {@link StoreFactory}
 * @param region null where the endpoint requires none
 * @param endpoint null for AWS
 * @param addressing how requests specify the bucket
 * @param credentials null for the service's own, which are never sent to a customer's endpoint
 * @param settings access control list and encryption of written objects
 */
public record BucketAccess(String type, String bucket, @Nullable String region, @Nullable URI endpoint,
        AddressingStyle addressing,
        @Nullable StorageCredentials credentials, ObjectSettings settings) {

    /** The type of stores that use the S3 protocol. */
    public static final String S3 = "s3";

    public BucketAccess {
        if (endpoint != null && credentials == null) {
            throw new IllegalArgumentException("the service's own credentials must not be sent to a customer's endpoint");
        }
    }

    /** Returns a bucket of S3 whose objects use its default access control list and encryption. */
    public BucketAccess(String bucket, @Nullable String region, @Nullable URI endpoint, AddressingStyle addressing,
            @Nullable StorageCredentials credentials) {
        this(S3, bucket, region, endpoint, addressing, credentials, ObjectSettings.DEFAULTS);
    }
}
