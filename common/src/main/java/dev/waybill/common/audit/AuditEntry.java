package dev.waybill.common.audit;

import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/** What becomes known of a request that may change something, until its line is written. */
public final class AuditEntry {

    private static final String KEY = AuditEntry.class.getName();

    private Actor actor = Actor.ANONYMOUS;
    private @Nullable String route;
    private @Nullable UUID resourceId;
    private boolean written;

    AuditEntry() {
    }

    /** Notes who asks, if the request is one that is audited. */
    public static void note(RoutingContext request, Actor actor) {
        note(request, () -> actor);
    }

    /** Likewise, for an actor that takes some finding out. */
    public static void note(RoutingContext request, Supplier<Actor> actor) {
        AuditEntry entry = of(request);
        if (entry != null) {
            entry.actor = actor.get();
        }
    }

    static @Nullable AuditEntry of(RoutingContext request) {
        return request.get(KEY);
    }

    void attachTo(RoutingContext request) {
        request.put(KEY, this);
    }

    void matched(String template) {
        route = template;
    }

    void isAbout(UUID id) {
        resourceId = id;
    }

    Actor actor() {
        return actor;
    }

    @Nullable
    String route() {
        return route;
    }

    @Nullable
    UUID resourceId() {
        return resourceId;
    }

    /** True the first time only. */
    boolean beginWriting() {
        boolean first = !written;
        written = true;
        return first;
    }
}
