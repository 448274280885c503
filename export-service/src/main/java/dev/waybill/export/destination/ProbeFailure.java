package dev.waybill.export.destination;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.StorageProblem;

/**
 * What a failed validation is called, and what its user should look at. An endpoint that is closed, silent or no store reads
 * the same, whatever it answered, so that nobody can explore other hosts with it.
 */
record ProbeFailure(DestinationProblem problem, ProbeStep step, String advice) {

    /** @param during what was being tried */
    static ProbeFailure of(StorageProblem failure, ProbeStep during) {
        return switch (failure) {
            case UNKNOWN_KEY_ID -> new ProbeFailure(DestinationProblem.KEY_ID_DOES_NOT_EXIST, ProbeStep.SIGNATURE,
                    "the store does not know the access key id; check access_key_id");
            case WRONG_SECRET -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the store refuses the signature; check secret_access_key");
            case EXPIRED_CREDENTIALS -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the credentials have expired or the session token is not valid; give new ones");
            case NO_CREDENTIALS -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "the service's environment holds no credentials; give some, or ask the operator");
            case NOT_LENT -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, ProbeStep.SIGNATURE,
                    "this installation does not lend its own credentials to destinations; give some");
            case ACCESS_DENIED, NO_SUCH_OBJECT, UPLOAD_GONE -> new ProbeFailure(DestinationProblem.ACCESS_DENIED, during,
                    "the credentials may not do this step in the bucket; they need the right to write objects,"
                            + " also in parts, under tmp/ and under the prefix");
            case NO_SUCH_BUCKET -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, ProbeStep.BUCKET,
                    "the store knows no such bucket; check bucket_name");
            case WRONG_REGION -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, ProbeStep.BUCKET,
                    "the bucket is in another region; check region");
            case REJECTED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the store refuses to write to this bucket; check the bucket's own rules");
            case QUOTA_EXCEEDED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the bucket, its account or its store is full; remove objects or raise the quota");
            case ENCRYPTION_KEY_UNUSABLE -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the store cannot encrypt with the key; check that kms_key_id exists in the bucket's region, is enabled and"
                            + " may be used with these credentials (kms:GenerateDataKey, kms:Decrypt)");
            case ACL_NOT_SUPPORTED -> new ProbeFailure(DestinationProblem.BUCKET_NOT_VALID, during,
                    "the bucket does not accept access control lists; leave acl out");
            case FORBIDDEN_ADDRESS -> unsafeAddress("must lead to a public address");
            case NOT_S3, UNREACHABLE, TIMEOUT, THROTTLED, UNAVAILABLE -> unreachable(during);
            case UNTRUSTED_CERTIFICATE -> new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, ProbeStep.CONNECT,
                    "the endpoint's certificate is not trusted: it is self-signed, has expired or is for another host;"
                            + " mend it, or ask the operator to trust its authority");
            case NOT_SUPPORTED, CONTENT_MISMATCH, ALREADY_THERE -> new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, during,
                    "the store does not do what S3 does in this step; check endpoint_url");
        };
    }

    /** The endpoint does not answer as a store does. */
    static ProbeFailure unreachable(ProbeStep during) {
        return new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, during == ProbeStep.WRITE ? ProbeStep.CONNECT : during,
                "no S3-compatible store answers; check endpoint_url, or for AWS omit it and check region");
    }

    /** The endpoint's path is that of a bucket or of something in it, so that a bucket's name behind it is a folder. */
    static ProbeFailure bucketInPath() {
        return unsafeAddress("must have no path, or one below which the store expects names of buckets; leave the bucket's name out");
    }

    /** @param reason what is wrong with the address, to be read after the field's name */
    static ProbeFailure unsafeAddress(String reason) {
        return new ProbeFailure(DestinationProblem.INVALID_ENDPOINT, ProbeStep.ADDRESS, "endpoint_url " + reason);
    }

    /** Names what these settings need beside the right to write, where that may be what the store refuses. */
    ProbeFailure withSettingsHint(ObjectSettings settings) {
        boolean isWriting = step == ProbeStep.WRITE || step == ProbeStep.MULTIPART;
        return settings.isEmpty() || !isWriting ? this
                : new ProbeFailure(problem, step,
                        advice + "; perhaps the store does not accept acl or server_side_encryption of"
                                + " config: acl needs s3:PutObjectAcl, a KMS key kms:GenerateDataKey and kms:Decrypt");
    }

    ProblemException toProblem() {
        return new ProblemException(problem, problem.title() + ": " + advice + ".").with("step", step.toString());
    }
}
