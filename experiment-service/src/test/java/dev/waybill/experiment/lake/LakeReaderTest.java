package dev.waybill.experiment.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.filter.DuckDbCondition;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.reactive.Blocking;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

class LakeReaderTest {

    @TempDir
    Path directory;

    @Test
    void readerThatCannotStartLeavesNothingOpen() throws Exception {
        LakeReader reader = reader(Map.of("endpoint-url", "//no-scheme", "access-key-id", "id", "secret-access-key", "secret"));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> find(reader)).isInstanceOf(LakeException.class);
        }

        try (CacheDirectory unused = CacheDirectory.lock(directory)) {
            assertThat(unused.path().getFileName()).hasToString("0");
        }
    }

    @Test
    void incompleteCredentialsAreRejectedAtStartup() {
        assertThatThrownBy(() -> start(Map.of("access-key-id", "id"))).hasMessageContaining("secret-access-key");
        assertThatThrownBy(() -> start(Map.of("secret-access-key", "secret"))).hasMessageContaining("access-key-id");
        assertThatThrownBy(() -> start(Map.of("endpoint-url", "http://localhost"))).hasMessageContaining("endpoint-url");
        assertThatCode(() -> start(Map.of())).doesNotThrowAnyException();
    }

    private void start(Map<String, String> settings) {
        reader(settings).validate(new StartupEvent());
    }

    private static void find(LakeReader reader) {
        LakeQuery query = new LakeQuery(UUID.randomUUID(), List.of(UUID.randomUUID()),
                DuckDbCondition.of(List.of(FilterParser.parse("eq(name, \"a\")")), false).orElseThrow(), true, Instant.EPOCH,
                Instant.EPOCH.plusSeconds(1), Optional.empty(), 1);
        LakeDay day = new LakeDay(LocalDate.EPOCH, List.of(new LakeDay.LakeFile("a", 1)));
        reader.find(query, List.of(day), Duration.ofMinutes(1)).await().atMost(Duration.ofMinutes(2));
    }

    private LakeReader reader(Map<String, String> settings) {
        Map<String, String> values = new HashMap<>(
                Map.of("waybill.lake.bucket", "lake", "waybill.lake.cache.directory", directory.toString()));
        settings.forEach((key, value) -> values.put("waybill.lake." + key, value));
        SmallRyeConfig config = new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(LakeConfig.class)
                .withMapping(NetConfig.class).withDefaultValues(values).build();
        return new LakeReader(config.getConfigMapping(LakeConfig.class), new LakeRepository(),
                new LakeMetrics(new SimpleMeterRegistry()), new Blocking(),
                new TrustedAuthorities(config.getConfigMapping(NetConfig.class)));
    }
}
