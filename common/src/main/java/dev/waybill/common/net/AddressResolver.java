package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Where names are looked up; tests bring their own. */
@FunctionalInterface
public interface AddressResolver {

    /** Every address of {@code host}; blocks. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
