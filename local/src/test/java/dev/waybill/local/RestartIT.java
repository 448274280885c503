package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.TraceLoader;

class RestartIT {

    private static final String KEY = "stored.txt";

    @Test
    @Tag("full")
    void newStackStopsRunningOneAndRetainsData() {
        // Given
        RunningStack first = RunningStack.get();
        long service = first.stack.service(ServiceKind.EXPORT).pid();
        Sample sample = Sample.all().getLast();
        new TraceLoader(first.client, first.address(ServiceKind.EXPERIMENT)).load(sample.runs(), Progress.NONE);
        try (Bucket bucket = first.bucket()) {
            bucket.write(KEY, "stored");
        }

        // When
        RunningStack second = first.takeOver();

        // Then
        assertThat(ProcessHandle.of(service)).isEmpty();
        try (Bucket bucket = second.bucket()) {
            assertThat(bucket.read(KEY)).asString().isEqualTo("stored");
        }
        assertThat(second.session(sample.session()).name()).isEqualTo(sample.session());
    }
}
