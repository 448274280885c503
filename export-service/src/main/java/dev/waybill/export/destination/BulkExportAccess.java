package dev.waybill.export.destination;

import java.util.UUID;

import jakarta.enterprise.context.RequestScoped;

import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Plan;

/** The workspace of a call under {@code /bulk-exports}, for organizations whose plan includes bulk export. */
@RequestScoped
public class BulkExportAccess {

    private final CallerContext context;

    BulkExportAccess(CallerContext context) {
        this.context = context;
    }

    /** The caller's workspace, or 403 with the reason. */
    public UUID workspace() {
        context.requirePlan("Bulk export", Plan.PLUS, Plan.ENTERPRISE);
        return context.workspace();
    }
}
