package dev.waybill.controlplane.engine.local.proxy;

import java.util.concurrent.atomic.AtomicInteger;

import io.vertx.core.net.SocketAddress;

/** An application's process and its number of requests in progress. */
final class Backend {

    private final SocketAddress address;
    private final AtomicInteger inFlight = new AtomicInteger();

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

    int inFlight() {
        return inFlight.get();
    }
}
