package dev.waybill.local.runtime;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Very many clients, each of which holds the stream of a run open that says nothing for a quarter of an hour. */
public final class IdleCrowd implements AutoCloseable {

    /** A port of the caller's address is one connection, and a system gives some 28,000 of them. */
    private static final int PER_ADDRESS = 20_000;
    private static final int CONNECTING = 200;
    private static final byte[] SILENT_RUN = """
            {"assistant_id": "agent", "stream_mode": "custom",
             "input": {"messages": [{"role": "user", "content": "tokens:1 delay:870000"}]}}""".getBytes(StandardCharsets.UTF_8);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<StreamingClient> clients = new ConcurrentLinkedQueue<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger beaten = new AtomicInteger();
    private final AtomicLong heartbeats = new AtomicLong();
    private final Semaphore connecting = new Semaphore(CONNECTING);
    private final int count;
    private volatile boolean leaving;

    /** Returns at once; {@link #awaitOpen} says when all are there. */
    public IdleCrowd(URI server, int count) {
        this.count = count;
        for (int i = 0; i < count; i++) {
            InetAddress from = loopback(1 + i / PER_ADDRESS);
            threads.execute(() -> hold(server, from));
        }
    }

    /** Returns when every client has its stream. */
    public void awaitOpen(Duration limit) {
        await(limit, () -> open.get() == count, "streams are open");
    }

    /** Returns when every client has got a heartbeat. */
    public void awaitHeartbeats(Duration limit) {
        await(limit, () -> beaten.get() == count, "streams have had a heartbeat");
    }

    /** @throws IllegalStateException when one was closed or broken */
    public void requireWhole() {
        String fault = faults.peek();
        if (fault != null) {
            throw new IllegalStateException(faults.size() + " of " + count + " streams were lost, the first by " + fault);
        }
    }

    /** All that have come to any client. */
    public long heartbeats() {
        return heartbeats.get();
    }

    /** All clients go away. */
    @Override
    public void close() {
        leaving = true;
        clients.forEach(StreamingClient::close);
        threads.close();
    }

    private void hold(URI server, InetAddress from) {
        try {
            StreamingClient client = begin(server, from);
            open.incrementAndGet();
            for (boolean first = true; client.awaitHeartbeat(); first = false) {
                heartbeats.incrementAndGet();
                if (first) {
                    beaten.incrementAndGet();
                }
            }
            throw new IllegalStateException("its end");
        } catch (RuntimeException e) {
            if (!leaving) {
                faults.add(e.toString());
            }
        }
    }

    private StreamingClient begin(URI server, InetAddress from) {
        connecting.acquireUninterruptibly();
        try {
            StreamingClient client = StreamingClient.connect(server, from, 0);
            clients.add(client);
            client.post("/runs/stream", SILENT_RUN);
            if (!client.next().map(ServerEvent::name).equals(Optional.of("metadata"))) {
                throw new IllegalStateException("a stream without metadata");
            }
            return client;
        } finally {
            connecting.release();
        }
    }

    private void await(Duration limit, BooleanSupplier reached, String what) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!reached.getAsBoolean()) {
            requireWhole();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all of " + count + " " + what + " after " + limit);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static InetAddress loopback(int number) {
        try {
            return InetAddress.getByAddress(new byte[] { 127, 0, 0, (byte) number });
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }
}
