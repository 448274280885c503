package dev.waybill.runtime.access;

import java.util.List;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.common.audit.Actor;
import dev.waybill.common.audit.AuditEntry;
import dev.waybill.common.security.PresentedKey;
import io.vertx.ext.web.RoutingContext;

/** Whom a request comes from, as far as that can be told without asking anybody. */
@Singleton
public class KnownCallers {

    private final ListedKeys listed;
    private final ControlPlaneKeys controlPlane;

    KnownCallers(AccessConfig config, ControlPlaneKeys controlPlane) {
        this.listed = new ListedKeys(config.keys().orElse(List.of()));
        this.controlPlane = controlPlane;
    }

    /** Whether there are no keys at all, so that only this machine is answered. */
    boolean areLocal() {
        return listed.isEmpty() && !controlPlane.configured();
    }

    /** The caller's principal; empty when it is to be asked for, or refused. */
    public Optional<String> of(RoutingContext request) {
        Optional<String> known = known(request);
        known.ifPresent(principal -> AuditEntry.note(request, Actor.caller(principal)));
        return known;
    }

    private Optional<String> known(RoutingContext request) {
        if (areLocal()) {
            return LocalCalls.isOne(request.request()) ? Optional.of("local") : Optional.empty();
        }
        String key = PresentedKey.of(request);
        if (key == null) {
            return Optional.empty();
        }
        if (listed.contains(key)) {
            return Optional.of(listed.principal(key));
        }
        Optional<String> known = controlPlane.known(key);
        known.ifPresent(principal -> new CheckedKey(key, principal).noteIn(request));
        return known;
    }
}
