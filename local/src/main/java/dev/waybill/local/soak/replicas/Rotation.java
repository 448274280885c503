package dev.waybill.local.soak.replicas;

import java.util.ArrayList;
import java.util.List;

/** The replicas of one service that requests go to, one after the other. */
public final class Rotation {

    private final String service;
    private final List<Member> members = new ArrayList<>();
    private int turn;

    Rotation(String service) {
        this.service = service;
    }

    public String service() {
        return service;
    }

    synchronized void add(Member member) {
        members.add(member);
    }

    /** No request goes there any more; those under way are answered before it is told to end. */
    synchronized void remove(Member member) {
        members.remove(member);
    }

    public synchronized List<Member> members() {
        return List.copyOf(members);
    }

    /** The next one; it is told when its request has ended. */
    synchronized Member enter() {
        Member next = next();
        next.enter();
        return next;
    }

    synchronized Member next() {
        turn = (turn + 1) % members.size();
        return members.get(turn);
    }
}
