package dev.waybill.experiment.otlp;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;

import org.jboss.resteasy.reactive.server.ServerResponseFilter;

import dev.waybill.common.problem.Problem;

/** Writes errors of OTLP requests in protobuf as {@code google.rpc.Status} instead of problem details. */
@Singleton
class OtlpErrorFilter {

    @ServerResponseFilter
    void write(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getEntity() instanceof Problem problem && request.getUriInfo().getPath().endsWith("/otel/v1/traces")
                && String.valueOf(request.getHeaderString("Content-Type")).startsWith(OtlpResource.PROTOBUF)) {
            response.setEntity(OtlpEncoding.PROTOBUF.status(code(problem.status()), problem.detail()), null,
                    MediaType.valueOf(OtlpResource.PROTOBUF));
        }
    }

    // gRPC codes for HTTP status codes.
    private static int code(int status) {
        return switch (status) {
            case 400, 415, 422 -> 3;
            case 401 -> 16;
            case 403 -> 7;
            case 404 -> 5;
            case 413, 429 -> 8;
            case 503 -> 14;
            default -> 13;
        };
    }
}
