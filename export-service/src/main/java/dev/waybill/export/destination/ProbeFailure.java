package dev.waybill.export.destination;

import java.util.Locale;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;

/**
 * A failed validation: the problem, the step and the advice for the client. Closed, silent and non-S3 endpoints produce the
 * same text, so that validation cannot be used to scan other hosts.
 */
record ProbeFailure(DestinationProblem problem, ProbeStep step, String advice) {

    /**
     * Maps a storage failure.
     *
     * @param during the step in progress
     */
    static ProbeFailure of(StorageProblem failure, ProbeStep during) {
        return switch (failure) {
            case UNKNOWN_KEY_ID -> new ProbeFailure(DestinationProblem.KEY_ID_DOES_NOT_EXIST, ProbeStep.SIGNATURE,
                    "the store does not recognize the access key id; check access_key_id");
            case WRONG_SECRET -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the store rejects the signature; check secret_access_key");
            case EXPIRED_CREDENTIALS -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the credentials have expired or the session token is not valid; provide new ones");
            case NO_CREDENTIALS -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the service's environment provides no credentials; provide them in the request, or ask the operator");
            case NOT_LENT -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "this installation does not provide its own credentials to destinations; provide them in the request");
            case ACCESS_DENIED, NO_SUCH_OBJECT, UPLOAD_GONE -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, during,
                    "the credentials do not allow this step in the bucket; they require the permission to write objects,"
                            + " also as multipart uploads, under tmp/ and under the prefix");
            case NO_SUCH_BUCKET -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, ProbeStep.BUCKET,
                    "the bucket does not exist; create it or check bucket_name");
            case WRONG_REGION -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, ProbeStep.BUCKET,
                    "the bucket is in another region; check region");
            case REJECTED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the store rejects writes to this bucket; check the bucket's policies");
            case QUOTA_EXCEEDED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the bucket, its account or its store is full; remove objects or raise the quota");
            case ENCRYPTION_KEY_UNUSABLE -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the store cannot encrypt with the key; check that kms_key_id exists in the bucket's region, is enabled and"
                            + " may be used with these credentials (kms:GenerateDataKey, kms:Decrypt)");
            case ACL_NOT_SUPPORTED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the bucket does not accept access control lists; omit acl");
            case FORBIDDEN_ADDRESS -> unsafeAddress("must lead to a public address");
            case NOT_S3, UNREACHABLE, TIMEOUT, THROTTLED, UNAVAILABLE -> unreachable(during);
            case UNTRUSTED_CERTIFICATE -> new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, ProbeStep.CONNECT,
                    "the endpoint's certificate is not trusted: it is self-signed, has expired or is for another host;"
                            + " fix it, or ask the operator to trust its authority");
            case NOT_SUPPORTED, CONTENT_MISMATCH, ALREADY_THERE, OBJECT_ARCHIVED ->
                new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, during,
                        "the store does not behave like S3 in this step; check endpoint_url");
        };
    }

    /** Returns the failure for an endpoint that does not respond like a store. */
    static ProbeFailure unreachable(ProbeStep during) {
        return new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, during == ProbeStep.WRITE ? ProbeStep.CONNECT : during,
                "no S3-compatible store responds; check endpoint_url, or for AWS omit it and check region");
    }

    /** Returns the failure for an endpoint whose path names a bucket, which would turn {@code bucket_name} into a folder. */
    static ProbeFailure bucketInPath() {
        return unsafeAddress(
                "must have no path, or a path below which the store expects bucket names; remove the bucket's name");
    }

    /**
     * Returns the failure for an unsafe endpoint.
     *
     * @param reason the predicate of a sentence about {@code endpoint_url}
     */
    static ProbeFailure unsafeAddress(String reason) {
        return new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, ProbeStep.ADDRESS, "endpoint_url " + reason);
    }

    /** Adds the permissions that these settings require, if a write step failed. */
    ProbeFailure withSettingsHint(ObjectSettings settings) {
        boolean isWriting = step == ProbeStep.WRITE || step == ProbeStep.MULTIPART;
        return settings.isEmpty() || !isWriting ? this
                : new ProbeFailure(problem, step,
                        advice + "; the store may reject acl or server_side_encryption of"
                                + " config: acl needs s3:PutObjectAcl, a KMS key kms:GenerateDataKey and kms:Decrypt");
    }

    ProblemException toProblem() {
        return new ProblemException(problem, problem.title() + ": " + advice + ".").with("step", step.toString());
    }

    /** A step of the probe failed. */
    static final class ProbeException extends RuntimeException {

        private final StorageProblem problem;
        private final ProbeStep step;

        ProbeException(StorageException failure, ProbeStep step) {
            super(failure);
            this.problem = failure.problem();
            this.step = step;
        }

        ProbeFailure failure() {
            return ProbeFailure.of(problem, step);
        }

        /** Returns whether a store that requires the other addressing style may respond like this. */
        boolean mayBeAddressingStyle() {
            return step == ProbeStep.WRITE && switch (problem) {
                case ACCESS_DENIED, NO_SUCH_BUCKET, NO_SUCH_OBJECT, WRONG_REGION, NOT_S3, NOT_SUPPORTED, REJECTED -> true;
                default -> false;
            };
        }
    }

    /** The steps of a destination's validation in order; the error names the step that failed. */
    enum ProbeStep {
        ADDRESS,
        CONNECT,
        SIGNATURE,
        BUCKET,
        WRITE,
        READ,
        MULTIPART,
        DELETE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
