package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

import io.netty.channel.socket.nio.NioSocketChannel;

/** A socket that asks the guard before its first packet leaves; at this point the address is final. */
final class GuardedChannel extends NioSocketChannel {

    private final AddressGuard guard;

    GuardedChannel(AddressGuard guard) {
        this.guard = guard;
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
