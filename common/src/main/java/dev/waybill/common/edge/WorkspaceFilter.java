package dev.waybill.common.edge;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.WorkspaceRequired;

/** Checks the workspace of the caller ahead of what the request carries (contract.md, order of checks). */
@Singleton
class WorkspaceFilter {

    // A service without workspaces has no such bean, and binds the filter nowhere.
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
