package dev.waybill.local.soak.replicas;

import java.util.ArrayList;
import java.util.List;

/** The replicas of one service that requests go to, one after the other. */
public final class ReplicaPool {

    private final String service;
    private final List<ServiceReplica> members = new ArrayList<>();
    private int turn;

    ReplicaPool(String service) {
        this.service = service;
    }

    public String service() {
        return service;
    }

    synchronized void add(ServiceReplica member) {
        members.add(member);
    }

    /** No request goes there any more; those under way are answered before it is told to end. */
    synchronized void remove(ServiceReplica member) {
        members.remove(member);
    }

    public synchronized List<ServiceReplica> members() {
        return List.copyOf(members);
    }

    /** The next one; it is told when its request has ended. */
    synchronized ServiceReplica enter() {
        ServiceReplica next = next();
        next.enter();
        return next;
    }

    synchronized ServiceReplica next() {
        turn = (turn + 1) % members.size();
        return members.get(turn);
    }
}
