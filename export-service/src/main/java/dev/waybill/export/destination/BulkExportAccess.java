package dev.waybill.export.destination;

import java.util.UUID;

import jakarta.enterprise.context.RequestScoped;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.security.CallerContext;

/** Returns the workspace of a call under {@code /bulk-exports}; the organization's plan must include bulk export. */
@RequestScoped
public class BulkExportAccess {

    private final CallerContext context;

    BulkExportAccess(CallerContext context) {
        this.context = context;
    }

    /** Returns the caller's workspace; fails with 403 if the plan does not include bulk export or no workspace is named. */
    public UUID workspace() {
        context.requirePlan("Bulk export", Plan.PLUS, Plan.ENTERPRISE);
        return context.workspace();
    }
}
