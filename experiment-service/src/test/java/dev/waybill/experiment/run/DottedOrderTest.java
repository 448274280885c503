package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.experiment.json.Texts;

class DottedOrderTest {

    private static final UUID ROOT = UUID.fromString("01a1fb6f-cfcd-7000-8000-02eba7ec920f");
    private static final UUID CHILD = UUID.fromString("f1a1fb6f-cfcd-4000-8000-02eba7ec920f");

    @Test
    void parsesIdsFromTheRootDown() {
        // When
        DottedOrder order = DottedOrder.parse("20261121T000931341001Z" + ROOT + ".20261121T000931341002Z" + CHILD)
                .orElseThrow();

        // Then
        assertThat(order.traceId()).isEqualTo(ROOT);
        assertThat(order.id()).isEqualTo(CHILD);
        assertThat(order.parentId()).contains(ROOT);
        assertThat(order.parentIds()).isEqualTo(List.of(ROOT));
        assertThat(order.startTime()).isEqualTo(Instant.parse("2026-11-21T00:09:31.341002Z"));
    }

    @Test
    void rootHasNoParent() {
        // When
        DottedOrder order = DottedOrder.parse(DottedOrder.segment(Instant.parse("1999-01-02T03:04:05.000006Z"), ROOT))
                .orElseThrow();

        // Then
        assertThat(order.parentId()).isEmpty();
        assertThat(order.parentIds()).isEmpty();
        assertThat(order.startTime()).isEqualTo(Instant.parse("1999-01-02T03:04:05.000006Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", ".", "20261121T000931341001Z", "20261121T000931341001Z01a1fb6f-cfcd-7000-8000-02eba7ec920f.",
            "20261321T000931341001Z01a1fb6f-cfcd-7000-8000-02eba7ec920f",
            "20261121T000931341Z01a1fb6f-cfcd-7000-8000-02eba7ec920f",
            "20261121 000931341001Z01a1fb6f-cfcd-7000-8000-02eba7ec920f",
            "20261121T000931341001Z01a1fb6f_cfcd-7000-8000-02eba7ec920f",
            "20261121T000931341001Z01a1fb6f-cfcd-7000-8000-02eba7ec920g",
            "2026١121T000931341001Z01a1fb6f-cfcd-7000-8000-02eba7ec920f" })
    void malformedTextIsRejected(String text) {
        assertThat(DottedOrder.parse(text)).isEmpty();
    }

    @Test
    void idsAreParsedWithAndWithoutDashes() {
        assertThat(Texts.parseId(CHILD.toString())).contains(CHILD);
        assertThat(Texts.parseId(CHILD.toString().replace("-", "").toUpperCase(java.util.Locale.ROOT))).contains(CHILD);
        assertThat(Texts.parseId("1-1-1-1-1")).isEmpty();
        assertThat(Texts.parseId("f1a1fb6f-cfcd-4000-80000-2eba7ec920f")).isEmpty();
    }
}
