package dev.waybill.export.storage;

import java.util.concurrent.atomic.AtomicInteger;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Counts, for calls that bring a count, the tries that were never answered: the store may have done what they asked. */
final class UnacknowledgedAttempts implements ExecutionInterceptor {

    /** The count of a call. */
    static final ExecutionAttribute<AtomicInteger> COUNT = new ExecutionAttribute<>("waybill-unanswered-tries");

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
