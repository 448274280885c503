package dev.waybill.export.destination;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.common.api.export.DestinationType;
import dev.waybill.common.api.export.ServerSideEncryption;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.StorageCredentials;

/**
 * The bucket of a destination.
 *
 * @param type the type of the destination
 * @param prefix without leading and trailing slashes; may be empty
 * @param endpointUrl null for AWS
 * @param settings access control list and encryption of the objects that exports write
 */
record Bucket(String type, String name, String prefix, @Nullable String region, @Nullable String endpointUrl,
        boolean includeNameInPrefix, ObjectSettings settings) {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /** Converts the validated members of a request. */
    static Bucket from(DestinationType type, BucketLocation location) {
        return new Bucket(type.toString(), location.bucketName(), location.prefix(), location.region(),
                location.endpointUrl(), Boolean.TRUE.equals(location.includeBucketInPrefix()), settings(location));
    }

    BucketLocation toLocation() {
        String type = settings.encryption();
        return new BucketLocation(name, prefix, region, endpointUrl, includeNameInPrefix, settings.acl(),
                type == null ? null : new ServerSideEncryption(type, settings.kmsKeyId()));
    }

    BucketAccess access(@Nullable URI endpoint, AddressingStyle addressing, @Nullable StorageCredentials credentials) {
        return new BucketAccess(type, name, region, endpoint, addressing, credentials, settings);
    }

    /** Returns the bucket with another name at the same place. */
    Bucket named(String other) {
        return new Bucket(type, other, prefix, region, endpointUrl, includeNameInPrefix, settings);
    }

    private static ObjectSettings settings(BucketLocation location) {
        ServerSideEncryption encryption = location.serverSideEncryption();
        return new ObjectSettings(location.acl(), encryption == null ? null : encryption.type(),
                encryption == null ? null : encryption.kmsKeyId());
    }

    /** Returns the endpoint with the bucket's name in its host, or empty where no TLS certificate would cover that name. */
    Optional<String> virtualHost(URI endpoint) {
        String host = endpoint.getHost();
        // With the bucket in the host, the endpoint's path would become part of every key.
        boolean isName = !host.startsWith("[") && !host.matches("[0-9.]+") && isRoot(endpoint);
        return isName && LABEL.matcher(name).matches()
                ? Optional.of(endpoint.toString().replaceFirst("//", "//" + name + "."))
                : Optional.empty();
    }

    /** Returns whether the endpoint has no path. */
    static boolean isRoot(URI endpoint) {
        return endpoint.getPath().isEmpty() || endpoint.getPath().equals("/");
    }

    /** Returns the prefix of every key: empty, or with a trailing slash. */
    String keyPrefix() {
        return (includeNameInPrefix ? name + "/" : "") + (prefix.isEmpty() ? "" : prefix + "/");
    }
}
