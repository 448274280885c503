package dev.waybill.common.problem;

import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;

import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Sets the header {@code Allow} of responses to {@code OPTIONS}: Quarkus' one has the methods of all paths of a resource class.
 */
@Singleton
class AllowedMethodsFilter {

    @ServerResponseFilter
    void respond(ContainerRequestContext request, ContainerResponseContext response) {
        if (HttpMethod.OPTIONS.equals(request.getMethod()) && response.getHeaders().containsKey(HttpHeaders.ALLOW)) {
            response.getHeaders().putSingle(HttpHeaders.ALLOW, String.join(", ", AllowedMethods.ofCurrentRequest()));
        }
    }
}
