package dev.waybill.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.vertx.core.net.SocketAddress;

class RequestClientTest {

    @ParameterizedTest
    @CsvSource({ "'Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0 (X11; Linux x86_64)'",
            "'a\" outcome=done', 'a_ outcome_done'", "'a\nb\tc\u00e9\u202ed\\e', 'a_b_c__d_e'" })
    void userAgentCannotImitateOtherFields(String header, String expected) {
        assertThat(RequestClient.userAgent(header)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({ "192.0.2.1, 192.0.2.1", "2001:db8::1, 2001:db8:0:0:0:0:0:1", "[2001:db8::1], 2001:db8:0:0:0:0:0:1",
            "unknown,", "' 192.0.2.1',", "a=b," })
    void addressIsAnIpAddressOrMissing(String forwarded, String expected) {
        assertThat(RequestClient.address(SocketAddress.inetSocketAddress(1, forwarded))).isEqualTo(expected);
    }

    @Test
    void longUserAgentIsShortened() {
        assertThat(RequestClient.userAgent("a".repeat(101))).isEqualTo("a".repeat(100));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = { "", "  " })
    void absentUserAgentIsNull(String header) {
        assertThat(RequestClient.userAgent(header)).isNull();
    }
}
