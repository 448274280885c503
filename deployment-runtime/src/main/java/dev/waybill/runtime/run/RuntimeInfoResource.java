package dev.waybill.runtime.run;

import java.util.Map;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirementsSet;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/** Availability and version of the runtime; requires no key (contract.md "Deployed application"). */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Runtime")
class RuntimeInfoResource {

    private final InfoResponse info;

    RuntimeInfoResource(@ConfigProperty(name = "quarkus.application.version") String version, RuntimeStorage storage) {
        boolean stored = storage.find().isPresent();
        this.info = new InfoResponse(version, Map.of("assistants", true, "runs", true, "threads", stored, "store", stored,
                "crons", false));
    }

    @GET
    @Path("/ok")
    @SecurityRequirementsSet
    @Operation(operationId = "get_ok", summary = "Check that the runtime is available")
    public Uni<OkResponse> ok() {
        return Uni.createFrom().item(new OkResponse(true));
    }

    @GET
    @Path("/info")
    @SecurityRequirementsSet
    @Operation(operationId = "get_info", summary = "Read the version and the supported features")
    public Uni<InfoResponse> info() {
        return Uni.createFrom().item(info);
    }

    /** Response of {@code GET /ok}. */
    record OkResponse(boolean ok) {
    }

    /**
     * Version and features of the runtime.
     *
     * @param flags supported parts of the API
     */
    record InfoResponse(String version, Map<String, Boolean> flags) {
    }
}
