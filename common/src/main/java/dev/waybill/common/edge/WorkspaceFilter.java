package dev.waybill.common.edge;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.WorkspaceRequired;

/** Checks the caller's workspace before the content of the request. */
@Singleton
class WorkspaceFilter {

    // Services without workspaces have no such bean and do not bind the filter.
    private final Instance<CallerContext> context;

    WorkspaceFilter(Instance<CallerContext> context) {
        this.context = context;
    }

    @WorkspaceRequired
    @ServerRequestFilter(priority = Priorities.AUTHORIZATION)
    public void check(ContainerRequestContext request) {
        context.get().workspace();
    }
}
