package dev.waybill.soak.replicas;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.client.WaybillClients;

/** A replica of a service with its outages and its number of requests in progress. */
public final class ServiceReplica {

    private final String name;
    private final RestartableServer server;
    private final String apiKey;
    private final List<Outage> outages = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile WaybillClients client;

    ServiceReplica(String name, RestartableServer server, String apiKey) {
        this.name = name;
        this.server = server;
        this.apiKey = apiKey;
        this.client = WaybillClients.of(apiKey);
    }

    public String name() {
        return name;
    }

    /** Resolves a path against the address. */
    public URI at(String path) {
        return server.address().resolve(path);
    }

    URI address() {
        return server.address();
    }

    /** Returns a client that was created after the last restart. */
    public WaybillClients client() {
        return client;
    }

    /** Stops the replica with SIGTERM or SIGKILL. */
    Outage startOutage(boolean graceful) {
        Outage outage = new Outage();
        outages.add(outage);
        if (graceful) {
            server.stop();
        } else {
            server.kill();
        }
        return outage;
    }

    /** Restarts the replica and returns when it is ready. */
    void endOutage(Outage outage) {
        server.start();
        // The previous client may still have connections to the stopped process.
        client = WaybillClients.of(apiKey);
        outage.end();
    }

    boolean wasUnavailable(long sent, long ended) {
        return outages.stream().anyMatch(outage -> outage.overlaps(sent, ended));
    }

    void startRequest() {
        requests.incrementAndGet();
    }

    void endRequest() {
        requests.decrementAndGet();
    }

    boolean isIdle() {
        return requests.get() == 0;
    }

    void start() {
        server.start();
    }

    void stop() {
        server.stop();
    }
}
