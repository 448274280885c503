package dev.waybill.export.storage;

import java.util.Locale;

/**
 * The reasons why a call to a store fails. Each defines whether a retry may succeed and a message for the bucket's owner. The
 * names in lower case are stored and returned as error codes.
 */
public enum StorageProblem {
    UNKNOWN_KEY_ID(true, "The store does not recognize the access key id."),
    WRONG_SECRET(true, "The store rejected the signature: check the secret access key."),
    EXPIRED_CREDENTIALS(true, "The credentials have expired or the session token is not valid."),
    NO_CREDENTIALS(false, "The environment of the service provides no credentials."),
    NOT_LENT(true, "This installation no longer provides its own credentials to destinations."),
    ACCESS_DENIED(true, "The credentials do not allow this operation."),
    NO_SUCH_BUCKET(true, "The bucket does not exist."),
    WRONG_REGION(true, "The bucket is in another region."),
    NOT_S3(false, "The endpoint does not respond like an S3-compatible store."),
    FORBIDDEN_ADDRESS(true, "The endpoint does not resolve to a public address."),
    UNREACHABLE(false, "The endpoint cannot be reached."),
    UNTRUSTED_CERTIFICATE(false,
            "The endpoint's certificate is not trusted: it is self-signed, has expired or is for another host."),
    TIMEOUT(false, "The endpoint did not respond in time."),
    THROTTLED(false, "The store throttles requests."),
    UNAVAILABLE(false, "The store reports an internal error."),
    QUOTA_EXCEEDED(false, "The bucket, its account or its store is full: remove objects or raise the quota."),
    ENCRYPTION_KEY_UNUSABLE(true, "The store cannot encrypt with the key: check that kms_key_id exists in the bucket's region,"
            + " is enabled and may be used with these credentials (kms:GenerateDataKey, kms:Decrypt)."),
    ACL_NOT_SUPPORTED(true, "The bucket does not accept access control lists: omit acl in the destination."),
    NOT_SUPPORTED(true, "The store does not support this operation."),
    REJECTED(true, "The store rejects the request as invalid."),
    ALREADY_THERE(true, "An object with this key already exists."),
    NO_SUCH_OBJECT(true, "The object does not exist."),
    OBJECT_ARCHIVED(true, "An object is in an archive tier and cannot be read: restore it, then try again."),
    UPLOAD_GONE(false, "The upload no longer exists, and no object has its content."),
    CONTENT_MISMATCH(true, "The object in the bucket differs from the written one.");

    private final boolean permanent;
    private final String message;

    StorageProblem(boolean permanent, String message) {
        this.permanent = permanent;
        this.message = message;
    }

    boolean isPermanent() {
        return permanent;
    }

    String message() {
        return message;
    }

    /** Returns the machine-readable code. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
