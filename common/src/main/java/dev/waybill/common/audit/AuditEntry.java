package dev.waybill.common.audit;

import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/** Collects the values of one event of the audit log while the request is processed. */
public final class AuditEntry {

    private static final String KEY = AuditEntry.class.getName();

    private final RequestClient client;
    private Actor actor = Actor.ANONYMOUS;
    private @Nullable String route;
    private @Nullable UUID resourceId;
    private boolean logOnly;
    private boolean written;

    AuditEntry(RequestClient client) {
        this.client = client;
    }

    /** Sets the actor of the request; has no effect if the request is not audited. */
    public static void setActor(RoutingContext request, Actor actor) {
        setActor(request, () -> actor);
    }

    /** Sets the actor of the request; calls {@code actor} only if the request is audited. */
    public static void setActor(RoutingContext request, Supplier<Actor> actor) {
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

    void setRoute(String template) {
        route = template;
    }

    void setResourceId(UUID id) {
        resourceId = id;
    }

    /** Prevents the event from being stored. */
    void setLogOnly() {
        logOnly = true;
    }

    /** Returns whether the event is stored: that of a caller with an organization, unless the operation is log-only. */
    boolean isStored() {
        return !logOnly && actor.organizationId() != null;
    }

    RequestClient client() {
        return client;
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

    /** Returns true on the first call only. */
    boolean markWritten() {
        boolean first = !written;
        written = true;
        return first;
    }
}
