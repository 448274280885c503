package dev.waybill.common.negotiation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * Checks {@code Accept}, {@code Content-Type} and {@code Content-Encoding} after authentication and before the operation. The
 * framework would check them while matching the operation, fail on malformed headers, and copy {@code Accept} to {@code
 * Content-Type}; so the headers are removed before matching and restored afterwards.
 */
@Singleton
class ContentNegotiationFilter {

    /** After filters that reroute by {@code Accept}. */
    private static final int LAST = Priorities.USER + 1000;
    private static final String ACCEPT = ContentNegotiationFilter.class.getName() + ".accept";
    private static final String CONTENT_TYPE = ContentNegotiationFilter.class.getName() + ".content-type";
    // Matches operations that stream events first, then all others.
    private static final String EVENTS_FIRST = MediaType.SERVER_SENT_EVENTS + ", */*;q=0.1";

    @ServerRequestFilter(preMatching = true, priority = LAST)
    public void hideHeaders(ContainerRequestContext request) {
        MultivaluedMap<String, String> headers = request.getHeaders();
        List<String> accept = headers.remove(HttpHeaders.ACCEPT);
        List<String> contentType = headers.remove(HttpHeaders.CONTENT_TYPE);
        request.setProperty(ACCEPT, accept == null ? List.of() : accept);
        request.setProperty(CONTENT_TYPE, contentType == null ? List.of() : contentType);
        if (accept != null && prefersEvents(accept)) {
            headers.putSingle(HttpHeaders.ACCEPT, EVENTS_FIRST);
        }
    }

    @ServerRequestFilter(priority = LAST)
    public void check(ResteasyReactiveContainerRequestContext request) {
        List<String> contentType = values(request.getProperty(CONTENT_TYPE));
        RuntimeResource operation = ((ResteasyReactiveRequestContext) request.getServerRequestContext()).getTarget();
        AcceptHeader accept = AcceptHeader.parse(values(request.getProperty(ACCEPT)));
        requireAcceptable(accept, operation);
        if (!operation.getConsumes().isEmpty()) {
            ContentTypeHeader.require(contentType, operation.getConsumes());
        }
        if (isBound(operation)) {
            ContentTypeHeader.requireNoEncoding(request.getHeaders().get(HttpHeaders.CONTENT_ENCODING));
        }
        request.getHeaders().remove(HttpHeaders.ACCEPT);
        if (!contentType.isEmpty()) {
            request.getHeaders().put(HttpHeaders.CONTENT_TYPE, contentType);
        }
    }

    private static void requireAcceptable(AcceptHeader accept, RuntimeResource operation) {
        if (operation.getProduces() == null) {
            return;
        }
        List<MediaType> produced = List.of(operation.getProduces().getSortedOriginalMediaTypes());
        if (produced.stream().noneMatch(accept::includes)) {
            throw new ProblemException(CommonProblem.NOT_ACCEPTABLE, "This operation responds with "
                    + String.join(" or ", produced.stream().map(type -> type.getType() + "/" + type.getSubtype()).toList())
                    + ", which the header Accept does not include.");
        }
    }

    private static boolean prefersEvents(List<String> accept) {
        try {
            return AcceptHeader.parse(accept)
                    .prefers(MediaType.SERVER_SENT_EVENTS_TYPE, MediaType.APPLICATION_JSON_TYPE);
        } catch (ProblemException e) {
            // Rejected later, after authentication.
            return false;
        }
    }

    /** Returns whether the framework reads the body; operations that read it themselves check the encoding themselves. */
    private static boolean isBound(RuntimeResource operation) {
        return Arrays.stream(operation.getParameterTypes()).anyMatch(type -> type.isRecord() || type == byte[].class);
    }

    private static List<String> values(@Nullable Object property) {
        return property instanceof List<?> list ? list.stream().flatMap(one -> Stream.ofNullable((String) one)).toList()
                : List.of();
    }
}
