package dev.waybill.common.edge;

import jakarta.inject.Singleton;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.arc.Unremovable;
import io.quarkus.vertx.http.runtime.ServerLimitsConfig;
import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.vertx.core.http.HttpServerOptions;

/** Adds the service's Netty handlers to the connections of every HTTP server of the process. */
@Singleton
@Unremovable
class ConnectionHandlers {

    private static final String DECODER = "httpDecoder";
    private static final String ENCODER = "httpEncoder";
    private static final String CONNECTION = "handler";

    private final RequestsConfig config;
    private final HttpServerOptions limits;
    private final boolean hasHttp2;
    private final InvalidRequestResponses responses;

    ConnectionHandlers(RequestsConfig config, VertxHttpConfig http, InvalidRequestResponses responses) {
        this.config = config;
        this.limits = limits(http.limits());
        this.hasHttp2 = http.http2();
        this.responses = responses;
    }

    private static HttpServerOptions limits(ServerLimitsConfig limits) {
        return new HttpServerOptions()
                .setMaxInitialLineLength(limits.maxInitialLineLength())
                .setMaxHeaderSize((int) limits.maxHeaderSize().asLongValue())
                .setMaxChunkSize((int) limits.maxChunkSize().asLongValue());
    }

    /** Prepares a connection that is not registered yet. */
    void addTo(Channel connection) {
        HeaderTimer.watch(connection, config.headerTimeout(), System::nanoTime);
        // Runs after Vert.x has added its handlers.
        connection.pipeline().addLast(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (!addToHttp1(channel.pipeline())) {
                    channel.pipeline().addLast(new ProtocolHandler());
                }
            }
        });
    }

    private boolean addToHttp1(ChannelPipeline pipeline) {
        if (pipeline.get(DECODER) == null) {
            return false;
        }
        pipeline.replace(DECODER, DECODER, new StrictRequestDecoder(limits));
        pipeline.addAfter(ENCODER, "invalidRequests", new InvalidRequestHandler(responses));
        return true;
    }

    /** Waits until TLS or the first bytes of the connection determine the protocol. */
    private final class ProtocolHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            if (!addToHttp1(context.pipeline()) && !hasHttp2 && context.pipeline().get(CONNECTION) != null) {
                // Quarkus has no setting that disables HTTP/2 on the management interface.
                ReferenceCountUtil.release(bytes);
                context.close();
                return;
            }
            context.pipeline().remove(this);
            context.fireChannelRead(bytes);
        }
    }
}
