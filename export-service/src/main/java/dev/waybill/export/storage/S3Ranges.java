package dev.waybill.export.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.ObjectStore.ListedObject;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import dev.waybill.export.storage.ObjectStore.ObjectRange;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Converts responses to reads of ranges and lists of objects. */
final class S3Ranges {

    private static final int RANGE_NOT_SATISFIABLE = 416;

    private S3Ranges() {
    }

    static ObjectRange range(GetObjectResponse response, byte[] content, long offset, int length) {
        Long size = completeSize(response.contentRange());
        if (size == null && offset > 0 || content.length > length) {
            throw new StorageException(StorageProblem.NOT_SUPPORTED, "the store ignores the header Range");
        }
        return new ObjectRange(content, size == null ? content.length : size);
    }

    /** Returns the empty range if the object ends before the requested one; otherwise fails again. */
    static CompletableFuture<ObjectRange> endsBefore(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof S3Exception response && response.statusCode() == RANGE_NOT_SATISFIABLE
                ? CompletableFuture.completedFuture(new ObjectRange(new byte[0], 0))
                : CompletableFuture.failedFuture(failure);
    }

    static ObjectPage page(ListObjectsV2Response response) {
        String token = response.nextContinuationToken();
        boolean isTruncated = Boolean.TRUE.equals(response.isTruncated());
        if (isTruncated && (token == null || token.isEmpty())) {
            throw new StorageException(StorageProblem.NOT_SUPPORTED, "the store returns a truncated list without a token");
        }
        return new ObjectPage(response.contents().stream()
                .map(object -> new ListedObject(object.key(), object.size() == null ? 0 : object.size()))
                .toList(),
                isTruncated ? token : null);
    }

    /** Returns the size in a header such as {@code bytes 0-99/1000}; null if there is none. */
    private static @Nullable Long completeSize(@Nullable String contentRange) {
        if (contentRange == null) {
            return null;
        }
        String size = contentRange.substring(contentRange.lastIndexOf('/') + 1).strip();
        return size.matches("[0-9]{1,18}") ? Long.valueOf(size) : null;
    }
}
