package dev.waybill.common.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.vertx.core.net.SocketAddress;

class ClientAddressTest {

    @Test
    void addressesOfOneIpv6NetworkAreOneClient() {
        assertThat(of("2001:db8:1:2::1")).isEqualTo(of("2001:db8:1:2:ffff::9")).isNotEqualTo(of("2001:db8:1:3::1"));
    }

    @Test
    void forwardedIpv6AddressMayHaveBrackets() {
        assertThat(of("[2001:db8:1:2::1]")).isEqualTo(of("2001:db8:1:2:ffff::9"));
    }

    @Test
    void eachIpv4AddressIsOneClient() {
        assertThat(of("192.0.2.1")).isNotEqualTo(of("192.0.2.2"));
    }

    @Test
    void namesAndMissingAddressesAreClients() {
        assertThat(of("client.example.com")).isEqualTo("client.example.com");
        assertThat(ClientAddress.of(null)).isEmpty();
    }

    private static String of(String address) {
        return ClientAddress.of(SocketAddress.inetSocketAddress(1, address));
    }
}
