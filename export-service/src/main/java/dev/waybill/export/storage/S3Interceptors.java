package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Interceptors of the SDK's calls, for stores that differ from AWS or are malicious. */
final class S3Interceptors {

    private S3Interceptors() {
    }

    /** Removes {@code Expect: 100-continue}: some stores and proxies never respond to it. */
    static final class DisableExpectContinue implements ExecutionInterceptor {

        @Override
        public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
            return context.httpRequest().toBuilder().removeHeader("Expect").build();
        }
    }

    /**
     * Counts the attempts of a call that received no response; the store may have executed them. Applies to calls with the
     * execution attribute {@link #COUNT}.
     */
    static final class UnacknowledgedAttempts implements ExecutionInterceptor {

        /** The counter of a call. Its name is unique in the JVM, where restarts in dev mode and tests load this class again. */
        static final ExecutionAttribute<AtomicInteger> COUNT = new ExecutionAttribute<>(
                "waybill-unacknowledged-attempts-" + System.identityHashCode(UnacknowledgedAttempts.class));

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            AtomicInteger count = attributes.getAttribute(COUNT);
            if (count != null) {
                count.incrementAndGet();
            }
        }

        @Override
        public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
            AtomicInteger count = attributes.getAttribute(COUNT);
            if (count != null) {
                count.decrementAndGet();
            }
        }
    }

    /** The response is larger than any valid S3 response. */
    static final class ResponseTooLargeException extends RuntimeException {

        ResponseTooLargeException(long limit) {
            super("the response is larger than " + limit + " bytes", null, false, false);
        }
    }

    /**
     * Aborts responses above a size limit: the SDK buffers the complete response, and a malicious endpoint may send an endless
     * one.
     */
    static final class ResponseSizeLimit implements ExecutionInterceptor {

        /** More than a full page of incomplete uploads or any object that is read. */
        static final long MAX_BYTES = 8L * 1024 * 1024;

        @Override
        public Optional<Publisher<ByteBuffer>> modifyAsyncHttpResponseContent(Context.ModifyHttpResponse context,
                ExecutionAttributes attributes) {
            return context.responsePublisher()
                    .map(response -> subscriber -> response.subscribe(new SizeLimitingSubscriber(subscriber)));
        }
    }

    private static final class SizeLimitingSubscriber implements Subscriber<ByteBuffer> {

        private final Subscriber<? super ByteBuffer> reader;
        private @Nullable Subscription subscription;
        private long received;

        SizeLimitingSubscriber(Subscriber<? super ByteBuffer> reader) {
            this.reader = reader;
        }

        @Override
        public void onSubscribe(Subscription upstream) {
            subscription = upstream;
            reader.onSubscribe(upstream);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            if (isExceeded()) {
                return;
            }
            received += bytes.remaining();
            if (!isExceeded()) {
                reader.onNext(bytes);
                return;
            }
            if (subscription != null) {
                subscription.cancel();
            }
            reader.onError(new ResponseTooLargeException(ResponseSizeLimit.MAX_BYTES));
        }

        @Override
        public void onError(Throwable failure) {
            if (!isExceeded()) {
                reader.onError(failure);
            }
        }

        @Override
        public void onComplete() {
            if (!isExceeded()) {
                reader.onComplete();
            }
        }

        private boolean isExceeded() {
            return received > ResponseSizeLimit.MAX_BYTES;
        }
    }
}
