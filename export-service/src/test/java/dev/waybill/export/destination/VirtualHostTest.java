package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.id.Ids;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.export.destination.OpenDestination.Capabilities;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import dev.waybill.export.storage.ObjectSettings;
import dev.waybill.export.storage.TestDns;
import dev.waybill.export.storage.TestStorage;
import dev.waybill.local.storage.S3Server;

/** Tests stores that require virtual-hosted-style addresses: the style is detected, and the address guard always applies. */
class VirtualHostTest {

    private final String name = UUID.randomUUID() + ".waybill.test";
    private final AddressGuard guard = new AddressGuard(TestStorage.net("127.0.0.1"),
            host -> List.of(InetAddress.getAllByName(host)));
    private S3Server server;
    private FaultProxy proxy;

    @BeforeEach
    void start() {
        TestDns.resolve(name, "127.0.0.1");
        server = S3Resource.startServerAt(name);
        proxy = FaultProxy.before(server.endpoint());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @Test
    void pathStyleIsTriedFirst() {
        assertThat(probe("exports").addressing()).isEqualTo(AddressingStyle.PATH);
        assertThat(proxy.calls()).isNotEmpty().allSatisfy(call -> assertThat(call.headers().get("Host")).startsWith(name));
    }

    @Test
    void virtualHostStyleIsUsedIfPathStyleFails() {
        refusePaths();

        ProbeResult found = probe("exports");

        assertThat(found.addressing()).isEqualTo(AddressingStyle.VIRTUAL_HOST);
        assertThat(found.capabilities()).isEqualTo(new Capabilities(true, true, true, true));
        assertThat(proxy.calls()).filteredOn(call -> call.operation().equals("DeleteObject")).singleElement()
                .satisfies(call -> assertThat(call.headers().get("Host")).startsWith("exports." + name));
    }

    @Test
    void firstErrorIsReportedIfBothStylesFail() {
        assertThatThrownBy(() -> probe("no-such-bucket")).isInstanceOf(ProblemException.class)
                .hasMessageStartingWith("Bucket is not valid: the bucket does not exist");
    }

    @Test
    void virtualHostWithInternalAddressIsNotContacted() throws IOException {
        refusePaths();
        TestDns.resolve("exports." + name, "127.0.0.2");
        try (ServerSocket canary = new ServerSocket(proxy.endpoint().getPort(), 5, InetAddress.ofLiteral("127.0.0.2"))) {
            assertThatThrownBy(() -> probe("exports")).isInstanceOf(ProblemException.class)
                    .hasMessageStartingWith("Access denied: ");

            canary.setSoTimeout(300);
            assertThatThrownBy(() -> {
                try (Socket _ = canary.accept()) {
                    throw new AssertionError("a connection to the canary was opened");
                }
            }).isInstanceOf(SocketTimeoutException.class);
        }
    }

    private void refusePaths() {
        proxy.always(call -> call.headers().get("Host").startsWith(name), Fault.error(403, "SecondLevelDomainForbidden"));
    }

    private ProbeResult probe(String bucket) {
        String endpoint = "http://" + name + ":" + proxy.endpoint().getPort();
        return new DestinationProbe(guard, TestStorage.storesByName(guard), new Blocking(), new Ids(Clock.systemUTC()),
                new ValidationRateLimitTest.Settings(false, 30))
                .run(new Bucket("s3", bucket, "", null, endpoint, false, ObjectSettings.DEFAULTS),
                        TestStorage.credentials(server))
                .await().atMost(Duration.ofMinutes(2));
    }
}
