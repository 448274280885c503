package dev.waybill.common.edge;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.edge.StrictRequestDecoder.InvalidRequestException;
import dev.waybill.common.logging.RequestIds;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.Problem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;

/** Builds problem responses for requests that fail before the framework creates a request object. */
@Singleton
class InvalidRequestResponses implements InvalidRequestHandler.Responses {

    private static final String METRIC = "waybill.http.invalid.requests";
    private static final int MAX_INSTANCE_LENGTH = 2000;

    private final ProblemResponses responses;
    private final RequestIds ids;
    private final MeterRegistry metrics;

    InvalidRequestResponses(ProblemResponses responses, RequestIds ids, MeterRegistry metrics) {
        this.responses = responses;
        this.ids = ids;
        this.metrics = metrics;
    }

    @Override
    public FullHttpResponse of(Throwable cause, @Nullable HttpRequest head, boolean isBody) {
        ProblemException problem = problem(cause, isBody);
        String id = ids.validOrNew(head == null ? null : head.headers().get(RequestIds.HEADER));
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.type().status()),
                Unpooled.wrappedBuffer(responses.bytes(problem, instance(head), id)));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff")
                .set(RequestIds.HEADER, id);
        metrics.counter(METRIC, "status", String.valueOf(problem.type().status())).increment();
        return response;
    }

    private static ProblemException problem(Throwable cause, boolean isBody) {
        if (isBody) {
            return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The body is not valid for its Transfer-Encoding: a chunk, its size or its extension is malformed.");
        }
        return switch (cause) {
            case TooLongHttpLineException _ -> new ProblemException(CommonProblem.URI_TOO_LONG,
                    "The request line is longer than allowed; send long values in the body.");
            case TooLongHttpHeaderException _ -> new ProblemException(CommonProblem.HEADERS_TOO_LARGE,
                    "The header fields are larger than allowed; send fewer or shorter ones.");
            case InvalidRequestException invalid -> new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    String.valueOf(invalid.getMessage()));
            default -> new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The request line or a header is not well-formed HTTP/1.1.");
        };
    }

    private static String instance(@Nullable HttpRequest head) {
        // Netty creates a placeholder request if it could not read one.
        if (head == null || head instanceof FullHttpRequest || !head.uri().startsWith("/")) {
            return "/";
        }
        int query = head.uri().indexOf('?');
        String path = query < 0 ? head.uri() : head.uri().substring(0, query);
        return path.substring(0, Math.min(path.length(), MAX_INSTANCE_LENGTH));
    }
}
