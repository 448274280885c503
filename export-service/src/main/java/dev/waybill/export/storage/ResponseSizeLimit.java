package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.Optional;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Ends answers that grow too large: the SDK would gather an endless one in memory, and a hostile endpoint sends that. */
final class ResponseSizeLimit implements ExecutionInterceptor {

    /** More than a full page of open uploads or any object that is read back. */
    static final long MOST_BYTES = 8L * 1024 * 1024;

    @Override
    public Optional<Publisher<ByteBuffer>> modifyAsyncHttpResponseContent(Context.ModifyHttpResponse context,
            ExecutionAttributes attributes) {
        return context.responsePublisher().map(answer -> subscriber -> answer.subscribe(new Counting(subscriber)));
    }

    private static final class Counting implements Subscriber<ByteBuffer> {

        private final Subscriber<? super ByteBuffer> reader;
        private Subscription subscription = new Nothing();
        private long received;

        Counting(Subscriber<? super ByteBuffer> reader) {
            this.reader = reader;
        }

        @Override
        public void onSubscribe(Subscription upstream) {
            subscription = upstream;
            reader.onSubscribe(upstream);
        }

        @Override
        public void onNext(ByteBuffer bytes) {
            if (received > MOST_BYTES) {
                return;
            }
            received += bytes.remaining();
            if (received > MOST_BYTES) {
                subscription.cancel();
                reader.onError(new ResponseTooLargeException(MOST_BYTES));
            } else {
                reader.onNext(bytes);
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (received <= MOST_BYTES) {
                reader.onError(failure);
            }
        }

        @Override
        public void onComplete() {
            if (received <= MOST_BYTES) {
                reader.onComplete();
            }
        }
    }

    private static final class Nothing implements Subscription {

        @Override
        public void request(long count) {
            // There is nothing yet.
        }

        @Override
        public void cancel() {
            // There is nothing yet.
        }
    }
}
