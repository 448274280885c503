package dev.waybill.common.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A socket that asks the guard before its first packet leaves; at this point the address is final. It also has had enough at
 * some time: a decoder that skips what it does not understand would skip for ever.
 */
final class GuardedChannel extends NioSocketChannel {

    private final AddressGuard guard;
    private long bytesLeft;

    GuardedChannel(AddressGuard guard, long mostBytes) {
        this.guard = guard;
        this.bytesLeft = mostBytes;
    }

    @Override
    protected int doReadBytes(ByteBuf buffer) throws Exception {
        int received = super.doReadBytes(buffer);
        bytesLeft -= Math.max(0, received);
        if (bytesLeft < 0) {
            throw new IOException("the other side sends more than anybody asked for");
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
