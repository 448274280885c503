package dev.waybill.export.destination;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.common.api.export.ServerSideEncryption;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.StorageCredentials;

/**
 * A bucket as a destination names it.
 *
 * @param prefix without slashes around it; may be empty
 * @param endpointUrl null for AWS
 * @param settings what objects are written with
 */
record Bucket(String name, String prefix, @Nullable String region, @Nullable String endpointUrl, boolean includeNameInPrefix,
        ObjectSettings settings) {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /** @param location as it came in, valid */
    static Bucket from(BucketLocation location) {
        return new Bucket(location.bucketName(), location.prefix(), location.region(),
                location.endpointUrl(), Boolean.TRUE.equals(location.includeBucketInPrefix()), settings(location));
    }

    BucketLocation toLocation() {
        String type = settings.encryption();
        return new BucketLocation(name, prefix, region, endpointUrl, includeNameInPrefix, settings.acl(),
                type == null ? null : new ServerSideEncryption(type, settings.kmsKeyId()));
    }

    BucketAccess access(@Nullable URI endpoint, AddressingStyle addressing, @Nullable StorageCredentials credentials) {
        return new BucketAccess(name, region, endpoint, addressing, credentials, settings);
    }

    private static ObjectSettings settings(BucketLocation location) {
        ServerSideEncryption encryption = location.serverSideEncryption();
        return new ObjectSettings(location.acl(), encryption == null ? null : encryption.type(),
                encryption == null ? null : encryption.kmsKeyId());
    }

    /** The endpoint with the bucket's name in its host; empty where that makes no name that certificates cover. */
    Optional<String> virtualHost(URI endpoint) {
        String host = endpoint.getHost();
        // Behind a host that names the bucket, a path would be the beginning of every key.
        boolean isName = !host.startsWith("[") && !host.matches("[0-9.]+") && isRoot(endpoint);
        return isName && LABEL.matcher(name).matches()
                ? Optional.of(endpoint.toString().replaceFirst("//", "//" + name + "."))
                : Optional.empty();
    }

    /** Returns whether the endpoint is a host alone. */
    static boolean isRoot(URI endpoint) {
        return endpoint.getPath().isEmpty() || endpoint.getPath().equals("/");
    }

    /** What every key begins with: empty, or ends with a slash. */
    String keyPrefix() {
        return (includeNameInPrefix ? name + "/" : "") + (prefix.isEmpty() ? "" : prefix + "/");
    }
}
