package dev.waybill.export.destination;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Checks the caller's plan and workspace before the request body is read (contract.md, order of checks). */
@Singleton
class BulkExportPlanFilter {

    private final BulkExportAccess access;

    BulkExportPlanFilter(BulkExportAccess access) {
        this.access = access;
    }

    @RequiresBulkExport
    @ServerRequestFilter(priority = Priorities.AUTHORIZATION)
    public void check(ContainerRequestContext request) {
        access.workspace();
    }
}
