package dev.waybill.common.security;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Checks the workspace of the caller ahead of what the request carries (contract.md, order of checks). */
@Singleton
class WorkspaceFilter {

    private final CallerContext context;

    WorkspaceFilter(CallerContext context) {
        this.context = context;
    }

    @WorkspaceRequired
    @ServerRequestFilter(priority = Priorities.AUTHORIZATION)
    public void check(ContainerRequestContext request) {
        context.workspace();
    }
}
