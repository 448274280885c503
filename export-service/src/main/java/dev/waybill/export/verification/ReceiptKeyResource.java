package dev.waybill.export.verification;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirementsSet;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.export.ReceiptKeyResponse;
import io.smallrye.mutiny.Uni;

/** Serves the public keys of receipts without authentication, so that third parties can verify receipts. */
@Path("/api/v1/bulk-exports/receipt-keys")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Bulk exports")
class ReceiptKeyResource {

    private final ReceiptService receipts;

    ReceiptKeyResource(ReceiptService receipts) {
        this.receipts = receipts;
    }

    @GET
    @Path("/{tenant_id}")
    @SecurityRequirementsSet
    @Operation(operationId = "list_receipt_keys", summary = "List the public keys that verify a workspace's receipts; needs no key", description = "All keys that ever signed receipts of the workspace, the newest first; empty before the first receipt and for unknown workspaces.")
    public Uni<List<ReceiptKeyResponse>> list(@PathParam("tenant_id") UUID tenantId) {
        return receipts.publicKeys(tenantId);
    }
}
