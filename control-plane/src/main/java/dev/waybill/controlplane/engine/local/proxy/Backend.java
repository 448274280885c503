package dev.waybill.controlplane.engine.local.proxy;

import java.util.concurrent.atomic.AtomicInteger;

import io.vertx.core.net.SocketAddress;

/** An application's process and its number of requests in progress. */
final class Backend {

    private final SocketAddress address;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final RequestRate requests = new RequestRate(System::nanoTime);

    Backend(int port) {
        this.address = SocketAddress.inetSocketAddress(port, "127.0.0.1");
    }

    SocketAddress address() {
        return address;
    }

    void acquire() {
        inFlight.incrementAndGet();
    }

    void release() {
        inFlight.decrementAndGet();
    }

    /** Counts a request that is forwarded. */
    void count() {
        requests.count();
    }

    long requestsPerMinute() {
        return requests.perMinute();
    }

    int inFlight() {
        return inFlight.get();
    }
}
