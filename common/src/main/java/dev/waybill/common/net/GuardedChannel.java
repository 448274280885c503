package dev.waybill.common.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A socket that checks the final address before it connects, and that limits the bytes it receives after each request: a
 * decoder that skips unknown input would otherwise read without end.
 */
final class GuardedChannel extends NioSocketChannel {

    private final AddressGuard guard;
    private final long maxBytes;
    private long bytesLeft;

    GuardedChannel(AddressGuard guard, long maxBytes) {
        this.guard = guard;
        this.maxBytes = maxBytes;
        this.bytesLeft = maxBytes;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer request) throws Exception {
        bytesLeft = maxBytes;
        super.doWrite(request);
    }

    @Override
    protected int doReadBytes(ByteBuf buffer) throws Exception {
        int received = super.doReadBytes(buffer);
        bytesLeft -= Math.max(0, received);
        if (bytesLeft < 0) {
            throw new IOException("the server sent more bytes than allowed for one request");
        }
        return received;
    }

    @Override
    protected boolean doConnect(SocketAddress remote, SocketAddress local) throws Exception {
        if (!(remote instanceof InetSocketAddress internet)) {
            throw new UnsafeAddressException("must lead to an internet address");
        }
        InetAddress address = internet.getAddress();
        if (address == null) {
            throw new UnsafeAddressException("must lead to a resolved address");
        }
        guard.check(address);
        return super.doConnect(remote, local);
    }
}
