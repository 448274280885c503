package dev.waybill.soak;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import dev.waybill.client.WaybillClients;
import dev.waybill.client.WaybillException;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.tour.Exporter;

/** The resources that iterations share: a stack, two workers and a destination. A worker may be temporarily unavailable. */
final class SoakEnvironment implements AutoCloseable {

    /** The key prefix of all objects of a soak test. */
    static final String PREFIX = "soak";

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    final Stack stack;
    final List<ServiceProcess> workers;
    final UUID tenantId;
    final UUID destinationId;
    private final WaybillClients client;
    private final ServiceProcess second;

    private SoakEnvironment(Stack stack, ServiceProcess second) {
        this.stack = stack;
        this.second = second;
        this.workers = List.of(stack.service(ServiceKind.EXPORT), second);
        this.client = WaybillClients.of(stack.secrets().apiKey());
        this.tenantId = Objects.requireNonNull(
                client.controlPlane(stack.service(ServiceKind.CONTROL_PLANE).address()).whoami().tenantId());
        this.destinationId = call(exporter -> exporter.destination("Soak", PREFIX, stack));
    }

    /** Adds a second export-service to the stack. */
    static SoakEnvironment create(Stack stack) {
        ServiceProcess second = stack.add(Replica.of(ServiceKind.EXPORT, "export-service-soak"));
        second.start();
        second.awaitReady();
        return new SoakEnvironment(stack, second);
    }

    /** Sends a request to the workers in turn until one responds. */
    <T> T call(Function<Exporter, T> request) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            restartStopped();
            for (ServiceProcess worker : workers) {
                try {
                    return request.apply(new Exporter(client, worker.address()));
                } catch (UncheckedIOException | WaybillException e) {
                    if (System.nanoTime() > deadline || e instanceof WaybillException rejected && rejected.status() < 500) {
                        throw e;
                    }
                }
            }
            Wait.sleep(POLL_INTERVAL);
        }
    }

    /** Restarts workers that have exited, as a process supervisor does in production. */
    void restartStopped() {
        workers.stream().filter(worker -> !worker.isAlive()).forEach(ServiceProcess::start);
    }

    /** Restores the stack: stops the added worker and restarts the other one if a fault killed it. */
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
