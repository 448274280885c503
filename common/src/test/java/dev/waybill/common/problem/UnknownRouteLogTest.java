package dev.waybill.common.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.LogLines;

class UnknownRouteLogTest {

    private final AtomicLong now = new AtomicLong();
    private final UnknownRouteLog routes = new UnknownRouteLog(now::get);

    @Test
    void logsMethodAndSanitizedPath() {
        try (LogLines log = LogLines.listen()) {
            routes.log(404, "GET", "/a\nFORGED b\u0085" + "x".repeat(1_000));

            assertThat(lines(log)).singleElement().asString()
                    .contains("no operation matches: status=404 method=GET path=/a?FORGED?b?xxx").endsWith("...")
                    .hasSizeLessThan(300);
        }
    }

    @Test
    void limitsLinesPerMinuteAndCountsTheRest() {
        try (LogLines log = LogLines.listen()) {
            for (int i = 0; i < 1_000; i++) {
                routes.log(404, "GET", "/" + i);
            }
            assertThat(lines(log)).hasSize(60);

            now.addAndGet(60_000_000_000L);
            routes.log(405, "PUT", "/later");

            assertThat(lines(log)).hasSize(62);
            assertThat(lines(log).get(60)).contains("were not logged: count=940");
            assertThat(lines(log).get(61)).contains("no operation matches: status=405 method=PUT path=/later");
        }
    }

    private static List<String> lines(LogLines log) {
        return log.lines().stream().map(line -> line.strip().substring(line.strip().lastIndexOf('\n') + 1))
                .filter(line -> line.contains("no operation matches") || line.contains("were not logged")).toList();
    }
}
