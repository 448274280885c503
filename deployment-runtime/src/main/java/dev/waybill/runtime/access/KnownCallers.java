package dev.waybill.runtime.access;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import dev.waybill.common.audit.Actor;
import dev.waybill.common.audit.AuditEntry;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.security.PresentedKey;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Whom a request comes from, as far as that can be told without asking anybody. */
@Singleton
public class KnownCallers {

    private static final int BEFORE_RATE_LIMIT = 985;

    private final ListedKeys listed;
    private final ControlPlaneKeys controlPlane;

    KnownCallers(AccessConfig config, ControlPlaneKeys controlPlane) {
        this.listed = new ListedKeys(config.keys().orElse(List.of()));
        this.controlPlane = controlPlane;
    }

    /** Exempts local calls from the rate limit for clients without a key where no keys are configured. */
    void register(@Observes Filters filters) {
        if (areLocal()) {
            filters.register(request -> {
                if (LocalCalls.isOne(request.request())) {
                    PresentedKey.markAuthenticated(request);
                }
                request.next();
            }, BEFORE_RATE_LIMIT);
        }
    }

    /** Whether there are no keys at all, so that only this machine is answered. */
    boolean areLocal() {
        return listed.isEmpty() && !controlPlane.configured();
    }

    /** The caller's principal; empty when it is to be asked for, or refused. */
    public Optional<String> of(RoutingContext request) {
        if (areLocal()) {
            return LocalCalls.isOne(request.request()) ? Optional.of(here(request, "local")) : Optional.empty();
        }
        String key = PresentedKey.of(request);
        if (key == null) {
            return Optional.empty();
        }
        if (listed.contains(key)) {
            return Optional.of(here(request, listed.principal(key)));
        }
        Optional<Holder> known = controlPlane.known(key);
        known.ifPresent(holder -> note(request, key, holder));
        return known.map(Holder::principal);
    }

    /** Notes who calls with a key that the control plane vouched for. */
    void note(RoutingContext request, String key, Holder holder) {
        new CheckedKey(key, holder.principal()).noteIn(request);
        AuditEntry.setActor(request, holder.actor());
        PresentedKey.markAuthenticated(request);
        UUID workspace = holder.actor().tenantId();
        if (workspace != null) {
            MDC.put(LogKeys.TENANT_ID, workspace.toString());
            request.put(LogKeys.TENANT_ID, workspace.toString());
        }
    }

    private static String here(RoutingContext request, String principal) {
        AuditEntry.setActor(request, Actor.caller(principal));
        PresentedKey.markAuthenticated(request);
        return principal;
    }
}
