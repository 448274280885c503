package dev.waybill.local.soak.replicas;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.local.client.WaybillClient;

/** One replica of a service, and when it was not there. */
public final class ServiceReplica {

    private final String name;
    private final RestartableServer server;
    private final String apiKey;
    private final List<Outage> absences = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile WaybillClient client;

    ServiceReplica(String name, RestartableServer server, String apiKey) {
        this.name = name;
        this.server = server;
        this.apiKey = apiKey;
        this.client = new WaybillClient(apiKey);
    }

    public String name() {
        return name;
    }

    /** @return the address of a path */
    public URI at(String path) {
        return server.address().resolve(path);
    }

    URI address() {
        return server.address();
    }

    /** @return a client whose connections are those of the replica's present life */
    public WaybillClient client() {
        return client;
    }

    /** kill -9, or SIGTERM; until it is back. */
    Outage leave(boolean inOrder) {
        Outage absence = new Outage();
        absences.add(absence);
        if (inOrder) {
            server.stop();
        } else {
            server.kill();
        }
        return absence;
    }

    /** Starts it again and returns when it is ready. */
    void comeBack(Outage absence) {
        server.start();
        // A connection of its former life may not have been found broken yet.
        client = new WaybillClient(apiKey);
        absence.end();
    }

    boolean wasAway(long sent, long ended) {
        return absences.stream().anyMatch(absence -> absence.overlaps(sent, ended));
    }

    void enter() {
        requests.incrementAndGet();
    }

    void exit() {
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
