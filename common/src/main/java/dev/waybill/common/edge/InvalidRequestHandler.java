package dev.waybill.common.edge;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Responds to requests that cannot be decoded, where Vert.x sends an empty response or closes the connection: one problem,
 * after
 * the responses to the requests before it, then the connection is closed.
 */
final class InvalidRequestHandler extends ChannelDuplexHandler {

    /** Who closes with bytes unread resets the connection, and the client may lose the response. */
    private static final int DISCARD_SECONDS = 2;

    private final InvalidRequestResponses responses;
    private int unanswered;
    private boolean isResponding;
    private @Nullable HttpRequest current;
    private @Nullable HttpObject invalid;
    private boolean isAnswered;

    InvalidRequestHandler(InvalidRequestResponses responses) {
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
                unanswered++;
                current = request;
            }
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isAnswered) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        boolean isLast = message instanceof LastHttpContent && !isInformational(message);
        isResponding = !isLast && (isResponding || message instanceof HttpResponse && !isInformational(message));
        context.write(message, promise);
        if (isLast) {
            unanswered--;
            respond(context);
        }
    }

    private static boolean isInformational(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && response.status().code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
    }

    /** Once the requests before the invalid one have their responses, and a response of its own that has begun is complete. */
    private void respond(ChannelHandlerContext context) {
        if (invalid == null || isAnswered || isResponding || !context.channel().isActive()) {
            return;
        }
        boolean isBody = !(invalid instanceof HttpRequest);
        if (unanswered > (isBody ? 1 : 0)) {
            return;
        }
        isAnswered = true;
        if (isBody && unanswered == 0) {
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
