package dev.waybill.export.destination;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BucketLocation;
import dev.waybill.export.storage.Addressing;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.StorageCredentials;

/**
 * A bucket as a destination names it.
 *
 * @param prefix without slashes around it; may be empty
 * @param endpointUrl null for AWS
 */
record Bucket(String name, String prefix, @Nullable String region, @Nullable String endpointUrl, boolean inPrefix) {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /** @param location as it came in, valid */
    static Bucket from(BucketLocation location) {
        return new Bucket(location.bucketName(), location.prefix(), location.region(),
                location.endpointUrl(), Boolean.TRUE.equals(location.includeBucketInPrefix()));
    }

    BucketLocation toLocation() {
        return new BucketLocation(name, prefix, region, endpointUrl, inPrefix);
    }

    BucketAccess access(@Nullable URI endpoint, Addressing addressing, @Nullable StorageCredentials credentials) {
        return new BucketAccess(name, region, endpoint, addressing, credentials);
    }

    /** The endpoint with the bucket's name in its host; empty where that makes no name that certificates cover. */
    Optional<String> virtualHost(URI endpoint) {
        String host = endpoint.getHost();
        boolean isName = !host.startsWith("[") && !host.matches("[0-9.]+");
        return isName && LABEL.matcher(name).matches()
                ? Optional.of(endpoint.toString().replaceFirst("//", "//" + name + "."))
                : Optional.empty();
    }

    /** What every key begins with: empty, or ends with a slash. */
    String keyPrefix() {
        return (inPrefix ? name + "/" : "") + (prefix.isEmpty() ? "" : prefix + "/");
    }
}
