package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.Optional;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Aborts responses above a size limit: the SDK buffers the complete response, and a malicious endpoint may send an endless one.
 */
final class ResponseSizeLimit implements ExecutionInterceptor {

    /** More than a full page of incomplete uploads or any object that is read. */
    static final long MAX_BYTES = 8L * 1024 * 1024;

    @Override
    public Optional<Publisher<ByteBuffer>> modifyAsyncHttpResponseContent(Context.ModifyHttpResponse context,
            ExecutionAttributes attributes) {
        return context.responsePublisher()
                .map(response -> subscriber -> response.subscribe(new SizeLimitingSubscriber(subscriber)));
    }

    private static final class SizeLimitingSubscriber implements Subscriber<ByteBuffer> {

        private final Subscriber<? super ByteBuffer> reader;
        private Subscription subscription = new NoSubscription();
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
            if (received > MAX_BYTES) {
                return;
            }
            received += bytes.remaining();
            if (received > MAX_BYTES) {
                subscription.cancel();
                reader.onError(new ResponseTooLargeException(MAX_BYTES));
            } else {
                reader.onNext(bytes);
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (received <= MAX_BYTES) {
                reader.onError(failure);
            }
        }

        @Override
        public void onComplete() {
            if (received <= MAX_BYTES) {
                reader.onComplete();
            }
        }
    }

    private static final class NoSubscription implements Subscription {

        @Override
        public void request(long count) {
            // No subscription yet.
        }

        @Override
        public void cancel() {
            // No subscription yet.
        }
    }
}
