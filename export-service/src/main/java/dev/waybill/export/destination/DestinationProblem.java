package dev.waybill.export.destination;

import java.util.Optional;

import dev.waybill.common.problem.ProblemType;
import dev.waybill.export.storage.StorageProblem;

/**
 * The reasons for rejecting a destination: the four names of interface.md section 7. Runs that fail later for the same reason
 * report the same name.
 */
public enum DestinationProblem implements ProblemType {
    ACCESS_DENIED("Access denied"),
    BUCKET_NOT_VALID("Bucket is not valid"),
    KEY_ID_DOES_NOT_EXIST("Key ID you provided does not exist"),
    INVALID_ENDPOINT("Invalid endpoint");

    private final String title;

    DestinationProblem(String title) {
        this.title = title;
    }

    /**
     * Returns the problem that the bucket's owner must fix; empty for transient failures and for failures with another cause.
     */
    public static Optional<DestinationProblem> of(StorageProblem failure) {
        return switch (failure) {
            case UNKNOWN_KEY_ID -> Optional.of(KEY_ID_DOES_NOT_EXIST);
            case WRONG_SECRET, EXPIRED_CREDENTIALS, NO_CREDENTIALS, NOT_LENT, ACCESS_DENIED -> Optional.of(ACCESS_DENIED);
            case NO_SUCH_BUCKET, WRONG_REGION, REJECTED, ENCRYPTION_KEY_UNUSABLE, ACL_NOT_SUPPORTED ->
                Optional.of(BUCKET_NOT_VALID);
            case NOT_S3, FORBIDDEN_ADDRESS, UNTRUSTED_CERTIFICATE, NOT_SUPPORTED -> Optional.of(INVALID_ENDPOINT);
            case UNREACHABLE, TIMEOUT, THROTTLED, UNAVAILABLE, QUOTA_EXCEEDED, ALREADY_THERE, NO_SUCH_OBJECT, OBJECT_ARCHIVED,
                    UPLOAD_GONE,
                    CONTENT_MISMATCH ->
                Optional.empty();
        };
    }

    @Override
    public int status() {
        return 400;
    }

    @Override
    public String title() {
        return title;
    }
}
