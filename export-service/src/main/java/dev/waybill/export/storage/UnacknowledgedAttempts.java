package dev.waybill.export.storage;

import java.util.concurrent.atomic.AtomicInteger;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Counts the attempts of a call that received no response; the store may have executed them. Applies to calls with the
 * execution attribute {@link #COUNT}.
 */
final class UnacknowledgedAttempts implements ExecutionInterceptor {

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
