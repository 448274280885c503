package dev.waybill.export.storage;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.UnsafeAddressException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Classifies what goes wrong with a store, once for all features: by error code, else by status, never by message. */
final class StorageFailures {

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
            Map.entry("NotImplemented", StorageProblem.NOT_SUPPORTED),
            Map.entry("MethodNotAllowed", StorageProblem.NOT_SUPPORTED),
            Map.entry("PreconditionFailed", StorageProblem.ALREADY_THERE),
            Map.entry("NoSuchKey", StorageProblem.NO_SUCH_OBJECT),
            Map.entry("NoSuchUpload", StorageProblem.UPLOAD_GONE),
            Map.entry("InvalidPart", StorageProblem.UPLOAD_GONE));

    private StorageFailures() {
    }

    static StorageException from(Throwable failure) {
        Throwable current = failure;
        while (current instanceof CompletionException && current.getCause() != null) {
            current = current.getCause();
        }
        return switch (current) {
            case StorageException known -> known;
            case AwsServiceException answer -> from(answer);
            case ApiCallTimeoutException late -> tooLate(late);
            case ApiCallAttemptTimeoutException late -> tooLate(late);
            default -> new StorageException(fromClient(current), current.getClass().getSimpleName(), current);
        };
    }

    // The store's own words are left out: an answer may hold anything, also the key id.
    private static StorageException from(AwsServiceException answer) {
        String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
        return new StorageException(problem(code, answer.statusCode()), "HTTP " + answer.statusCode() + " " + word(code));
    }

    private static StorageException tooLate(SdkClientException late) {
        return new StorageException(StorageProblem.TIMEOUT, late.getClass().getSimpleName());
    }

    private static StorageProblem problem(@Nullable String code, int status) {
        StorageProblem named = code == null ? null : BY_CODE.get(code);
        if (named != null) {
            return named;
        }
        // What Netty could not read has the status 999.
        if (status < 200 || status > 599) {
            return StorageProblem.NOT_S3;
        }
        // A success that holds an error, as some stores answer when completing an upload.
        if (status >= 500 || status < 300) {
            return status == 501 ? StorageProblem.NOT_SUPPORTED : StorageProblem.UNAVAILABLE;
        }
        if (status == 429) {
            return StorageProblem.THROTTLED;
        }
        // Every S3 store names its errors; what does not is something else.
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
            if (cause instanceof MissingCredentialsException) {
                return StorageProblem.NO_CREDENTIALS;
            }
            if (cause instanceof OversizedAnswerException) {
                return StorageProblem.NOT_S3;
            }
            if (cause instanceof CertificateException) {
                return StorageProblem.UNTRUSTED_CERTIFICATE;
            }
            network |= cause instanceof IOException || cause instanceof TimeoutException;
        }
        return network ? StorageProblem.UNREACHABLE : StorageProblem.NOT_S3;
    }

    private static String word(@Nullable String code) {
        return code != null && code.matches("[A-Za-z]{1,64}") ? code : "without a known code";
    }
}
