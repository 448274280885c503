package dev.waybill.common.edge;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Decodes requests more strictly than Netty: a lenient decoder can disagree with a proxy about where a request ends, which
 * allows request smuggling. After an invalid request, all further bytes of the connection are discarded.
 */
public class StrictRequestDecoder extends VertxHttpRequestDecoder {

    /** Other methods are mapped to one name so that clients cannot create arbitrary metric labels. */
    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.PUT,
            HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE, HttpMethod.CONNECT);
    private static final HttpMethod UNKNOWN = HttpMethod.valueOf("UNKNOWN");

    private boolean expectsHead = true;
    private boolean hasRequestLine;
    private boolean isInvalid;

    public StrictRequestDecoder(HttpServerOptions options) {
        super(options);
    }

    /** Returns whether the next byte belongs to a request head. */
    protected final boolean awaitsHead() {
        return expectsHead;
    }

    /** Rejects the head that is being received and discards all further bytes of the connection. */
    protected final void reject(ChannelHandlerContext context, Throwable cause) {
        context.fireChannelRead(invalid(createInvalidMessage(), cause));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
        if (isInvalid) {
            buffer.skipBytes(buffer.readableBytes());
            return;
        }
        String fault = expectsHead ? RequestHeadValidator.fault(buffer, !hasRequestLine) : null;
        if (fault != null) {
            out.add(invalid(createInvalidMessage(), new InvalidRequestException(fault)));
            buffer.skipBytes(buffer.readableBytes());
            return;
        }
        super.decode(context, buffer, out);
        check(out);
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        hasRequestLine = true;
        HttpMessage message = super.createMessage(initialLine);
        if (message instanceof HttpRequest request) {
            request.setMethod(method(request.method()));
        }
        return message;
    }

    /** Returns the method with which the request is handled. */
    protected HttpMethod method(HttpMethod requested) {
        return METHODS.contains(requested) ? requested : UNKNOWN;
    }

    private void check(List<Object> out) {
        for (int i = 0; i < out.size(); i++) {
            Object message = out.get(i);
            if (message instanceof HttpRequest request) {
                expectsHead = false;
                hasRequestLine = false;
                Throwable fault = request.decoderResult().isSuccess() ? fault(request) : null;
                if (fault != null) {
                    invalid(request, fault);
                    // Netty emits the end of a request without a body together with its head.
                    out.subList(i + 1, out.size()).clear();
                    return;
                }
            }
            if (message instanceof LastHttpContent) {
                expectsHead = true;
            }
        }
    }

    private HttpMessage invalid(HttpMessage message, Throwable cause) {
        isInvalid = true;
        message.setDecoderResult(DecoderResult.failure(cause));
        return message;
    }

    /** Returns the reason to reject a complete head, or null. */
    protected @Nullable Throwable fault(HttpRequest request) {
        String fault = syntaxFault(request);
        return fault == null ? null : new InvalidRequestException(fault);
    }

    private static @Nullable String syntaxFault(HttpRequest request) {
        if (!request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            return "The request line has an unsupported HTTP version; send HTTP/1.1.";
        }
        // Quarkus checks the URI as well but responds without a body.
        if (!isUri(request.uri())) {
            return "The request target is not a valid URI: percent-encode reserved characters and the percent sign itself (%25).";
        }
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty() && (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked"))) {
            return "Transfer-Encoding must be exactly chunked, once.";
        }
        return hasValidHost(request) ? null : "The request must have exactly one Host header, which must not be empty.";
    }

    private static boolean hasValidHost(HttpRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        return hosts.isEmpty() ? request.protocolVersion().equals(HttpVersion.HTTP_1_0)
                : hosts.size() == 1 && !hosts.getFirst().isBlank();
    }

    private static boolean isUri(String address) {
        try {
            return !new URI(address).toString().isEmpty();
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /** A request that violates the supported HTTP syntax; the message is sent to the client. */
    public static final class InvalidRequestException extends RuntimeException {

        public InvalidRequestException(String message) {
            super(message, null, false, false);
        }
    }
}
