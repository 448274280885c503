package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.export.storage.HostileStore.Manner;

/** Threat T5: an endpoint whose answers never end, never come, or grow when they are read. */
class HostileStoreTest {

    /** Far more than any answer of a store, and far less than what would hurt. */
    private static final long MUCH = 64L * 1024 * 1024;
    private static final RetryPolicy SHORT = new RetryPolicy(Duration.ofMillis(900), Duration.ofMillis(900), 1);
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String XML = "Content-Type: application/xml\r\n";
    private static final String BOMB = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
            <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
            <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
            <!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"><!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">]>
            <Error><Code>&g;</Code><Message>&g;</Message></Error>""";

    static Stream<Named<Manner>> manners() {
        return Stream.of(
                manner("never answers", HostileStore.Answer::waitForEver),
                manner("drips its headers", answer -> {
                    answer.say(OK);
                    answer.drip("x");
                }),
                manner("has headers without end", answer -> {
                    answer.say(OK);
                    answer.sayForEver("X-Header: " + "x".repeat(1000) + "\r\n");
                }),
                manner("has one header without end", answer -> {
                    answer.say(OK + "ETag: ");
                    answer.sayForEver("x".repeat(1000));
                }),
                manner("has a status without end", answer -> {
                    answer.say("HTTP/1.1 403 ");
                    answer.sayForEver("x".repeat(1000));
                }),
                manner("drips an error", answer -> {
                    answer.say("HTTP/1.1 403 Forbidden\r\n" + XML + "\r\n<Error><Code>AccessDenied");
                    answer.drip("x");
                }),
                manner("has an error without end", answer -> {
                    answer.say("HTTP/1.1 403 Forbidden\r\n" + XML + "\r\n<Error><Code>");
                    answer.sayForEver("x".repeat(1000));
                }),
                manner("promises more than it sends", answer -> {
                    answer.say(OK + XML + "Content-Length: 1000000000\r\n\r\n<x>");
                    answer.waitForEver();
                }),
                manner("has chunks without end", answer -> {
                    answer.say("HTTP/1.1 403 Forbidden\r\n" + XML + "Transfer-Encoding: chunked\r\n\r\n");
                    answer.sayForEver("3e8\r\n" + "x".repeat(1000) + "\r\n");
                }),
                manner("continues for ever", answer -> answer.sayForEver("HTTP/1.1 100 Continue\r\n\r\n")),
                manner("speaks no HTTP", answer -> answer.sayForEver("SSH-2.0-OpenSSH_9.9\r\n")),
                manner("sends an entity bomb", answer -> answer.say("HTTP/1.1 403 Forbidden\r\n" + XML + "Content-Length: "
                        + BOMB.length() + "\r\nConnection: close\r\n\r\n" + BOMB)));
    }

    @ParameterizedTest
    @MethodSource("manners")
    void noAnswerHoldsUsUpOrFillsMemory(Manner manner) throws IOException {
        try (HostileStore hostile = new HostileStore(manner); ObjectStore store = open(hostile.endpoint())) {
            assertThatThrownBy(() -> store.listUploads("a").await().atMost(Duration.ofMinutes(2)))
                    .isInstanceOfSatisfying(StorageException.class, e -> {
                        assertThat(e.problem()).isIn(StorageProblem.NOT_S3, StorageProblem.UNREACHABLE, StorageProblem.TIMEOUT);
                        assertThat(e.getMessage() + e).doesNotContain("xxx", "aaa", "SSH").hasSizeLessThan(500);
                    });
            assertThat(hostile.sent()).isLessThan(MUCH);
        }
    }

    private static ObjectStore open(URI endpoint) {
        NetConfig net = TestStorage.net("127.0.0.0/8");
        BucketAccess access = new BucketAccess("exports", null, endpoint, AddressingStyle.PATH,
                new StorageCredentials("AKIDEXAMPLE", "secret", null));
        S3HttpClients connections = TestStorage.connections(new AddressGuard(net, host -> List.of()),
                new TrustedAuthorities(net));
        return new S3ObjectStore(new S3ClientFactory(connections).open(access, SHORT), access);
    }

    private static Named<Manner> manner(String name, Manner manner) {
        return Named.of(name, manner);
    }
}
