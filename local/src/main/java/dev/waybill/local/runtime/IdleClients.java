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

import dev.waybill.local.storage.Wait;

/** Many clients, each with the open stream of a run that sends no events for 15 minutes. */
public final class IdleClients implements AutoCloseable {

    /** The connections per client address, which has about 28,000 ephemeral ports. */
    private static final int PER_ADDRESS = 20_000;
    private static final int MAX_CONNECTING = 200;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final byte[] IDLE_RUN = """
            {"assistant_id": "agent", "stream_mode": "custom",
             "input": {"messages": [{"role": "user", "content": "tokens:1 delay:870000"}]}}""".getBytes(StandardCharsets.UTF_8);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<StreamingClient> clients = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger withHeartbeat = new AtomicInteger();
    private final AtomicLong heartbeats = new AtomicLong();
    private final Semaphore connecting = new Semaphore(MAX_CONNECTING);
    private final int count;
    private volatile boolean closing;

    /** Starts the clients without waiting for them; see {@link #awaitOpen}. */
    public IdleClients(URI server, int count) {
        this.count = count;
        for (int i = 0; i < count; i++) {
            InetAddress from = loopback(1 + i / PER_ADDRESS);
            threads.execute(() -> stream(server, from));
        }
    }

    /** Waits until every client has an open stream. */
    public void awaitOpen(Duration timeout) {
        await(timeout, () -> open.get() == count, "streams are open");
    }

    /** Waits until every client has received a heartbeat. */
    public void awaitHeartbeats(Duration timeout) {
        await(timeout, () -> withHeartbeat.get() == count, "streams have received a heartbeat");
    }

    /** Fails if a stream has ended. */
    public void requireAllOpen() {
        String failure = failures.peek();
        if (failure != null) {
            throw new IllegalStateException(failures.size() + " of " + count + " streams were lost; first failure: " + failure);
        }
    }

    /** Returns the number of heartbeats of all clients. */
    public long heartbeats() {
        return heartbeats.get();
    }

    /** Disconnects all clients. */
    @Override
    public void close() {
        closing = true;
        clients.forEach(StreamingClient::close);
        threads.close();
    }

    private void stream(URI server, InetAddress from) {
        try {
            StreamingClient client = start(server, from);
            open.incrementAndGet();
            for (boolean first = true; client.awaitHeartbeat(); first = false) {
                heartbeats.incrementAndGet();
                if (first) {
                    withHeartbeat.incrementAndGet();
                }
            }
            throw new IllegalStateException("the stream ended");
        } catch (RuntimeException e) {
            if (!closing) {
                failures.add(e.toString());
            }
        }
    }

    private StreamingClient start(URI server, InetAddress from) {
        connecting.acquireUninterruptibly();
        try {
            StreamingClient client = StreamingClient.connect(server, from, 0);
            clients.add(client);
            client.post("/runs/stream", IDLE_RUN);
            if (!client.next().map(ServerEvent::name).equals(Optional.of("metadata"))) {
                throw new IllegalStateException("the first event of a stream is not metadata");
            }
            return client;
        } finally {
            connecting.release();
        }
    }

    private void await(Duration timeout, BooleanSupplier reached, String condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!reached.getAsBoolean()) {
            requireAllOpen();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all of " + count + " " + condition + " after " + timeout);
            }
            Wait.sleep(POLL_INTERVAL);
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
