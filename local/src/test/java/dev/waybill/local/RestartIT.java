package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Home;
import dev.waybill.local.stack.Ports;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.TraceLoader;

class RestartIT {

    @Test
    void whatWasKeptIsThereWhenAStackTakesOverFromOneThatWasLeftRunning() {
        // Given: a stack that nobody ended, as after --keep or kill -9
        Home home = new Home(Path.of("target", "restart"));
        Stack.endLeftOvers(home);
        home.forget();
        StackSettings settings = StackSettings.of(RunningStack.root(), home).ports(Ports.free());
        Stack first = Stack.start(settings.outlivesUs(true));
        Sample sample = Sample.all().getLast();
        try (WaybillClient client = new WaybillClient(first.secrets().apiKey())) {
            new TraceLoader(client, first.service(ServiceKind.EXPERIMENT).address()).load(sample.runs(), Progress.UNSEEN);
        }
        try (Bucket bucket = bucket(first)) {
            bucket.write("kept.txt", "kept");
        }

        // When
        try (Stack second = Stack.start(settings)) {

            // Then
            assertThat(ProcessHandle.of(first.service(ServiceKind.EXPORT).pid())).isEmpty();
            try (Bucket bucket = bucket(second)) {
                assertThat(bucket.read("kept.txt")).asString().isEqualTo("kept");
            }
            try (WaybillClient client = new WaybillClient(first.secrets().apiKey())) {
                assertThat(client.get(second.service(ServiceKind.EXPERIMENT).address()
                        .resolve("/api/v1/sessions?name=" + sample.session()))).hasSize(1);
            }
        }
    }

    private static Bucket bucket(Stack stack) {
        return new Bucket(stack.s3().endpoint(), stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey(),
                Stack.BUCKET);
    }
}
