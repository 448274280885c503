package dev.waybill.common.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

class IdsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    private final Ids ids = new Ids(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void newIdsAreVersionSevenAndContainTheirTime() {
        UUID id = ids.newId();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
    }

    @Test
    void idsOfOneMillisecondDiffer() {
        assertThat(Stream.generate(ids::newId).limit(10_000).collect(Collectors.toSet())).hasSize(10_000);
    }

    @Test
    void sameNameInSameNamespaceHasSameId() {
        UUID dns = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

        assertThat(NameIds.of(dns, "www.example.com"))
                .isEqualTo(UUID.fromString("2ed6657d-e927-568b-95e1-2665a8aea6a2"));
    }
}
