package dev.waybill.local.soak;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.Exporter;

/** What iterations share: a running stack, two workers of which either may be gone for a while, a destination. */
final class SoakEnvironment implements AutoCloseable {

    /** Everything that a soak writes lies below it. */
    static final String PREFIX = "soak";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    final Stack stack;
    final List<ServiceProcess> workers;
    final UUID tenantId;
    final String destinationId;
    private final WaybillClient client;
    private final ServiceProcess second;

    private SoakEnvironment(Stack stack, ServiceProcess second) {
        this.stack = stack;
        this.second = second;
        this.workers = List.of(stack.service(ServiceKind.EXPORT), second);
        this.client = new WaybillClient(stack.secrets().apiKey());
        this.tenantId = UUID.fromString(client.get(stack.service(ServiceKind.CONTROL_PLANE).address().resolve("/v1/whoami"))
                .required("tenant_id").textValue());
        this.destinationId = ask(exporter -> exporter.destination("Soak", Json.object()
                .put("bucket_name", Stack.BUCKET)
                .put("prefix", PREFIX)
                .put("endpoint_url", stack.s3().endpoint().toString()),
                stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey()));
    }

    /** Puts a second export-service beside the stack's own. */
    static SoakEnvironment on(Stack stack) {
        ServiceProcess second = stack.add(Replica.of(ServiceKind.EXPORT, "export-service-soak"));
        second.start();
        second.awaitReady();
        return new SoakEnvironment(stack, second);
    }

    /** Asks whichever worker answers, until one does. */
    <T> T ask(Function<Exporter, T> question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            supervise();
            for (ServiceProcess worker : workers) {
                try {
                    return question.apply(new Exporter(client, worker.address()));
                } catch (UncheckedIOException | WaybillException e) {
                    if (System.nanoTime() > deadline || e instanceof WaybillException refused && refused.status() < 500) {
                        throw e;
                    }
                }
            }
            pause(100);
        }
    }

    /** Starts workers again that have ended by themselves, as whoever runs them in production does. */
    void supervise() {
        workers.stream().filter(worker -> !worker.isAlive()).forEach(ServiceProcess::start);
    }

    Bucket bucket() {
        return new Bucket(stack.s3().endpoint(), stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey(),
                Stack.BUCKET);
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Leaves the stack as it was: with its own worker up, also when that was killed last. */
    @Override
    public void close() {
        client.close();
        second.stop();
        ServiceProcess own = stack.service(ServiceKind.EXPORT);
        if (!own.isAlive()) {
            own.start();
        }
        own.awaitReady();
    }
}
