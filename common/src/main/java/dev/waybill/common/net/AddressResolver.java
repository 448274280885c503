package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names; replaced in tests. */
@FunctionalInterface
public interface AddressResolver {

    /** Returns all addresses of {@code host}. Blocks. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
