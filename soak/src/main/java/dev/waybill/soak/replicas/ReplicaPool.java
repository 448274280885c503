package dev.waybill.soak.replicas;

import java.util.ArrayList;
import java.util.List;

/** The replicas of a service that receive requests, in round-robin order. */
public final class ReplicaPool {

    private final String service;
    private final List<ServiceReplica> replicas = new ArrayList<>();
    private int position;

    ReplicaPool(String service) {
        this.service = service;
    }

    public String service() {
        return service;
    }

    synchronized void add(ServiceReplica replica) {
        replicas.add(replica);
    }

    /** Removes a replica. Its requests in progress continue. */
    synchronized void remove(ServiceReplica replica) {
        replicas.remove(replica);
    }

    public synchronized List<ServiceReplica> replicas() {
        return List.copyOf(replicas);
    }

    /** Returns the next replica and counts a request; the caller must call {@link ServiceReplica#endRequest}. */
    synchronized ServiceReplica startRequest() {
        ServiceReplica next = next();
        next.startRequest();
        return next;
    }

    synchronized ServiceReplica next() {
        position = (position + 1) % replicas.size();
        return replicas.get(position);
    }
}
