package dev.waybill.export.storage;

import java.util.Locale;

/** Why a store did not do as asked. Each says whether trying again may help, and a sentence for the bucket's owner. */
public enum StorageProblem {
    UNKNOWN_KEY_ID(true, "The access key id is not known to the store."),
    WRONG_SECRET(true, "The signature was refused: check the secret access key."),
    EXPIRED_CREDENTIALS(true, "The credentials have expired or the session token is not valid."),
    NO_CREDENTIALS(false, "The environment of the service holds no credentials."),
    NOT_LENT(true, "This installation does not lend its own credentials to destinations any more."),
    ACCESS_DENIED(true, "The credentials do not allow this operation."),
    NO_SUCH_BUCKET(true, "The bucket does not exist."),
    WRONG_REGION(true, "The bucket is in another region."),
    NOT_S3(false, "The endpoint does not answer as an S3-compatible store."),
    FORBIDDEN_ADDRESS(true, "The endpoint does not lead to a public address."),
    UNREACHABLE(false, "The endpoint cannot be reached."),
    UNTRUSTED_CERTIFICATE(false,
            "The endpoint's certificate is not trusted: it is self-signed, has expired or is for another host."),
    TIMEOUT(false, "The endpoint did not answer in time."),
    THROTTLED(false, "The store asks for fewer requests."),
    UNAVAILABLE(false, "The store reports an error of its own."),
    QUOTA_EXCEEDED(false, "The bucket, its account or its store is full: remove objects or raise the quota."),
    ENCRYPTION_KEY_UNUSABLE(true, "The store cannot encrypt with the key: check that kms_key_id exists in the bucket's region,"
            + " is enabled and may be used with these credentials (kms:GenerateDataKey, kms:Decrypt)."),
    ACL_NOT_SUPPORTED(true, "The bucket does not accept access control lists: leave acl out of the destination."),
    NOT_SUPPORTED(true, "The store does not support this operation."),
    REJECTED(true, "The store refuses the request as invalid."),
    ALREADY_THERE(true, "An object of that name is there already."),
    NO_SUCH_OBJECT(true, "The object does not exist."),
    UPLOAD_GONE(false, "The upload is not there any more, and no object with its content is."),
    CONTENT_MISMATCH(true, "The object in the bucket is not the one that was written.");

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

    /** The word for programs. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
