package dev.waybill.common.edge;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Responds to requests that cannot be decoded, for which Vert.x sends an empty response or closes the connection. The handler
 * sends one problem after the responses to the preceding requests, then closes the connection.
 */
public final class InvalidRequestHandler extends ChannelDuplexHandler {

    /** Closing a socket with unread bytes resets the connection, and the client may lose the response. */
    private static final int DISCARD_SECONDS = 2;

    /** Builds the response to an invalid request. */
    @FunctionalInterface
    public interface Responses {

        /**
         * Returns a response with {@code Connection: close}.
         *
         * @param head the decoded part of the request head
         * @param isBody whether the head is valid and the body is not
         */
        FullHttpResponse of(Throwable cause, @Nullable HttpRequest head, boolean isBody);
    }

    private final Responses responses;
    private int pendingResponses;
    private boolean isResponding;
    private @Nullable HttpRequest current;
    private @Nullable HttpObject invalid;
    private boolean hasResponded;

    public InvalidRequestHandler(Responses responses) {
        this.responses = responses;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (invalid != null) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpObject object && object.decoderResult().isFailure()) {
            invalid = object;
            ReferenceCountUtil.release(message);
            respond(context);
        } else {
            if (message instanceof HttpRequest request) {
                pendingResponses++;
                current = request;
            }
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (hasResponded) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        boolean isLast = message instanceof LastHttpContent && !isInformational(message);
        isResponding = !isLast && (isResponding || message instanceof HttpResponse && !isInformational(message));
        context.write(message, promise);
        if (isLast) {
            pendingResponses--;
            respond(context);
        }
    }

    private static boolean isInformational(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && response.status().code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
    }

    /** Sends the response after all preceding responses are complete, including a response that has already started. */
    private void respond(ChannelHandlerContext context) {
        if (invalid == null || hasResponded || isResponding || !context.channel().isActive()) {
            return;
        }
        boolean isBody = !(invalid instanceof HttpRequest);
        if (pendingResponses > (isBody ? 1 : 0)) {
            return;
        }
        hasResponded = true;
        if (isBody && pendingResponses == 0) {
            // The response may still be in the channel's buffer.
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ignored -> close(context));
            return;
        }
        HttpRequest head = invalid instanceof HttpRequest request ? request : current;
        context.writeAndFlush(responses.of(invalid.decoderResult().cause(), head, isBody))
                .addListener(ignored -> close(context));
    }

    private static void close(ChannelHandlerContext context) {
        if (context.pipeline().get(SslHandler.class) == null && context.channel() instanceof DuplexChannel connection) {
            connection.shutdownOutput();
            connection.config().setAutoRead(true);
            context.executor().schedule(() -> connection.close(), DISCARD_SECONDS, TimeUnit.SECONDS);
        } else {
            context.close();
        }
    }
}
