package dev.waybill.common.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.net.AddressGuardTest.Net;
import dev.waybill.common.testing.Patience;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;

/** Threat T2: DNS rebinding between check and connection. A canary server detects forbidden connections. */
class GuardedChannelTest {

    private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
    private ServerSocket canary;

    @BeforeEach
    void listen() throws IOException {
        canary = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        canary.setSoTimeout(500);
    }

    @AfterEach
    void close() throws IOException {
        canary.close();
        loops.shutdownGracefully();
    }

    @Test
    void reboundNameReceivesNoByte() throws IOException {
        // Given: the name resolves to a public address for the check and to loopback for the connection
        Queue<InetAddress> addresses = new ArrayDeque<>(
                List.of(InetAddress.ofLiteral("93.184.215.14"), InetAddress.getLoopbackAddress()));
        AddressGuard guard = new AddressGuard(new Net(true, List.of()), host -> List.of(addresses.remove()));
        guard.resolve(guard.parse("http://rebinding.example:" + canary.getLocalPort()));

        // When
        ChannelFuture connection = client(guard)
                .resolver(new AddressResolverGroup<InetSocketAddress>() {
                    @Override
                    protected io.netty.resolver.AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
                        return new QueueResolver(executor, addresses).asAddressResolver();
                    }
                })
                .connect("rebinding.example", canary.getLocalPort())
                .awaitUninterruptibly();

        // Then
        assertThat(addresses).isEmpty();
        assertThat(connection.cause()).isInstanceOf(UnsafeAddressException.class);
        assertThat(firstByte()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "127.0.0.1", "localhost", "::ffff:127.0.0.1" })
    void rejectsConnectionsToLoopback(String host) throws IOException {
        AddressGuard strict = new AddressGuard(new Net(true, List.of()), ignored -> List.of());

        ChannelFuture rejected = client(strict).connect(host, canary.getLocalPort()).awaitUninterruptibly();

        assertThat(rejected.cause()).isInstanceOf(UnsafeAddressException.class);
        assertThat(firstByte()).isEmpty();
    }

    @Test
    void connectsToAllowedAddresses() throws IOException {
        AddressGuard next = new AddressGuard(new Net(true, List.of("127.0.0.0/8")), ignored -> List.of());

        ChannelFuture connection = client(next).connect("127.0.0.1", canary.getLocalPort()).awaitUninterruptibly();

        assertThat(connection.isSuccess()).isTrue();
        connection.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] { 42 }));
        assertThat(firstByte()).contains(42);
        connection.channel().close();
    }

    @Test
    void connectionThatReceivesTooManyBytesIsClosed() throws IOException {
        AddressGuard next = new AddressGuard(new Net(true, List.of("127.0.0.0/8")), ignored -> List.of());
        ChannelFuture connection = client(next).connect("127.0.0.1", canary.getLocalPort()).awaitUninterruptibly();

        try (Socket visitor = canary.accept()) {
            visitor.getOutputStream().write(new byte[1000]);
            visitor.getOutputStream().write(1);

            assertThat(connection.channel().closeFuture().awaitUninterruptibly(120_000)).isTrue();
        }
    }

    @Test
    void everyRequestMayReceiveTheMaximum() throws IOException {
        AddressGuard next = new AddressGuard(new Net(true, List.of("127.0.0.0/8")), ignored -> List.of());
        AtomicInteger received = new AtomicInteger();
        ChannelFuture connection = client(next).handler(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                received.addAndGet(((ByteBuf) message).readableBytes());
                ReferenceCountUtil.release(message);
            }
        }).connect("127.0.0.1", canary.getLocalPort()).awaitUninterruptibly();

        try (Socket visitor = canary.accept()) {
            for (int request = 1; request <= 5; request++) {
                connection.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] { 42 })).awaitUninterruptibly();
                assertThat(visitor.getInputStream().read()).isEqualTo(42);
                visitor.getOutputStream().write(new byte[999]);
                int expected = request * 999;
                Patience.await().until(() -> received.get() == expected);
            }
            assertThat(connection.channel().isOpen()).isTrue();
            visitor.getOutputStream().write(new byte[1001]);

            assertThat(connection.channel().closeFuture().awaitUninterruptibly(120_000)).isTrue();
        }
    }

    private Bootstrap client(AddressGuard guard) {
        return new Bootstrap().group(loops).channelFactory(guard.channels(1000)).handler(new ChannelInboundHandlerAdapter());
    }

    /** Returns the first byte that reaches the canary; empty without a connection. */
    private Optional<Integer> firstByte() throws IOException {
        try (Socket visitor = canary.accept()) {
            return Optional.of(visitor.getInputStream().read());
        } catch (SocketTimeoutException e) {
            return Optional.empty();
        }
    }

    /** Resolves every name to the next address of a queue. */
    private static final class QueueResolver extends InetNameResolver {

        private final Queue<InetAddress> addresses;

        QueueResolver(EventExecutor executor, Queue<InetAddress> addresses) {
            super(executor);
            this.addresses = addresses;
        }

        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) {
            promise.setSuccess(addresses.remove());
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
            promise.setSuccess(List.of(addresses.remove()));
        }
    }
}
