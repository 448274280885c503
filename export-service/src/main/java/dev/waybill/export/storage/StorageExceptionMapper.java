package dev.waybill.export.storage;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.UnsafeAddressException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Maps failures of the SDK to {@link StorageException}s: by error code, otherwise by status. */
final class StorageExceptionMapper {

    private static final Map<String, StorageProblem> BY_CODE = Map.ofEntries(
            Map.entry("InvalidAccessKeyId", StorageProblem.UNKNOWN_KEY_ID),
            Map.entry("SignatureDoesNotMatch", StorageProblem.WRONG_SECRET),
            Map.entry("ExpiredToken", StorageProblem.EXPIRED_CREDENTIALS),
            Map.entry("InvalidToken", StorageProblem.EXPIRED_CREDENTIALS),
            Map.entry("TokenRefreshRequired", StorageProblem.EXPIRED_CREDENTIALS),
            Map.entry("AccessDenied", StorageProblem.ACCESS_DENIED),
            Map.entry("AllAccessDisabled", StorageProblem.ACCESS_DENIED),
            Map.entry("AccountProblem", StorageProblem.ACCESS_DENIED),
            Map.entry("NoSuchBucket", StorageProblem.NO_SUCH_BUCKET),
            Map.entry("InvalidBucketName", StorageProblem.NO_SUCH_BUCKET),
            Map.entry("PermanentRedirect", StorageProblem.WRONG_REGION),
            Map.entry("TemporaryRedirect", StorageProblem.WRONG_REGION),
            Map.entry("AuthorizationHeaderMalformed", StorageProblem.WRONG_REGION),
            Map.entry("IllegalLocationConstraintException", StorageProblem.WRONG_REGION),
            Map.entry("SlowDown", StorageProblem.THROTTLED),
            Map.entry("TooManyRequests", StorageProblem.THROTTLED),
            Map.entry("RequestLimitExceeded", StorageProblem.THROTTLED),
            Map.entry("RequestTimeout", StorageProblem.TIMEOUT),
            Map.entry("RequestTimeTooSkewed", StorageProblem.UNAVAILABLE),
            Map.entry("InternalError", StorageProblem.UNAVAILABLE),
            Map.entry("ServiceUnavailable", StorageProblem.UNAVAILABLE),
            Map.entry("AccessControlListNotSupported", StorageProblem.ACL_NOT_SUPPORTED),
            Map.entry("NotImplemented", StorageProblem.NOT_SUPPORTED),
            Map.entry("MethodNotAllowed", StorageProblem.NOT_SUPPORTED),
            Map.entry("PreconditionFailed", StorageProblem.ALREADY_THERE),
            Map.entry("NoSuchKey", StorageProblem.NO_SUCH_OBJECT),
            Map.entry("InvalidObjectState", StorageProblem.OBJECT_ARCHIVED),
            Map.entry("NoSuchUpload", StorageProblem.UPLOAD_GONE),
            Map.entry("InvalidPart", StorageProblem.UPLOAD_GONE));

    /** Ceph, MinIO, Huawei, Backblaze and others use codes of their own for an exceeded quota. */
    private static final Pattern QUOTA_CODE = Pattern
            .compile("(?i).*quotaexceeded.*|.*storagecapexceeded|.*storagefull|insufficient(?:storage|capacity).*");
    /** Stores prefix the errors of their key management service with its name. */
    private static final Pattern KMS_CODE = Pattern.compile("(?i)(?:x?minio|aws)?\\.?kms.*");
    private static final Pattern KMS_PERMISSION = Pattern.compile("\\bkms:[A-Z]");

    private StorageExceptionMapper() {
    }

    static StorageException from(Throwable failure) {
        Throwable current = failure;
        while (current instanceof CompletionException && current.getCause() != null) {
            current = current.getCause();
        }
        return switch (current) {
            case StorageException known -> known;
            case AwsServiceException response -> from(response);
            case ApiCallTimeoutException e -> timeout(e);
            case ApiCallAttemptTimeoutException e -> timeout(e);
            default -> new StorageException(fromClient(current), current.getClass().getSimpleName(), current);
        };
    }

    // The store's own message is omitted: it may contain anything, for example the access key id.
    private static StorageException from(AwsServiceException response) {
        String code = response.awsErrorDetails() == null ? null : response.awsErrorDetails().errorCode();
        StorageProblem problem = problem(code, response.statusCode());
        return new StorageException(problem == StorageProblem.ACCESS_DENIED && isKeyDenied(response)
                ? StorageProblem.ENCRYPTION_KEY_UNUSABLE
                : problem, "HTTP " + response.statusCode() + " " + sanitizedCode(code));
    }

    // AWS reports a missing permission for the KMS key as AccessDenied; only the message distinguishes it.
    private static boolean isKeyDenied(AwsServiceException response) {
        String message = response.awsErrorDetails().errorMessage();
        return message != null && KMS_PERMISSION.matcher(message).find();
    }

    private static StorageException timeout(SdkClientException e) {
        return new StorageException(StorageProblem.TIMEOUT, e.getClass().getSimpleName());
    }

    private static StorageProblem problem(@Nullable String code, int status) {
        StorageProblem named = code == null ? null : BY_CODE.get(code);
        if (named != null) {
            return named;
        }
        if (code != null && KMS_CODE.matcher(code).matches()) {
            return status >= 500 || code.contains("Throttling") ? StorageProblem.UNAVAILABLE
                    : StorageProblem.ENCRYPTION_KEY_UNUSABLE;
        }
        if (code != null && QUOTA_CODE.matcher(code).matches() && status != 429) {
            return StorageProblem.QUOTA_EXCEEDED;
        }
        // Netty reports 999 for a response that it cannot parse.
        if (status < 200 || status > 599) {
            return StorageProblem.NOT_S3;
        }
        // Some stores return an error with status 200 when completing an upload.
        if (status >= 500 || status < 300) {
            return switch (status) {
                case 501 -> StorageProblem.NOT_SUPPORTED;
                case 507 -> StorageProblem.QUOTA_EXCEEDED;
                default -> StorageProblem.UNAVAILABLE;
            };
        }
        if (status == 429) {
            return StorageProblem.THROTTLED;
        }
        // Every S3 store returns an error code; a server without one is not an S3 store.
        if (code == null || code.isBlank()) {
            return StorageProblem.NOT_S3;
        }
        return status == 401 || status == 403 ? StorageProblem.ACCESS_DENIED : StorageProblem.REJECTED;
    }

    private static StorageProblem fromClient(Throwable failure) {
        boolean network = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsafeAddressException) {
                return StorageProblem.FORBIDDEN_ADDRESS;
            }
            if (cause instanceof EnvironmentCredentials.MissingCredentialsException) {
                return StorageProblem.NO_CREDENTIALS;
            }
            if (cause instanceof S3Interceptors.ResponseTooLargeException) {
                return StorageProblem.NOT_S3;
            }
            if (cause instanceof CertificateException) {
                return StorageProblem.UNTRUSTED_CERTIFICATE;
            }
            network |= cause instanceof IOException || cause instanceof TimeoutException;
        }
        return network ? StorageProblem.UNREACHABLE : StorageProblem.NOT_S3;
    }

    private static String sanitizedCode(@Nullable String code) {
        return code != null && code.matches("[A-Za-z.]{1,64}") ? code : "(no valid error code)";
    }
}
