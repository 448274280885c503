package dev.waybill.export.destination;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Checks plan and workspace of the caller ahead of what the request carries (contract.md, order of checks). */
@Singleton
class BulkExportFilter {

    private final BulkExportAccess access;

    BulkExportFilter(BulkExportAccess access) {
        this.access = access;
    }

    @BulkExportPlan
    @ServerRequestFilter(priority = Priorities.AUTHORIZATION)
    public void check(ContainerRequestContext request) {
        access.workspace();
    }
}
