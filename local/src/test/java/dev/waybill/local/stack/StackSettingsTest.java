package dev.waybill.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

class StackSettingsTest {

    private final Path root = Path.of("root");
    private final StackSettings settings = StackSettings.of(root, new HomeDirectory(root));

    @Test
    void exportServiceWithLakeHasALargerHeap() {
        Replica export = Replica.of(ServiceKind.EXPORT, "export");

        assertThat(settings.heap(export)).isEqualTo("192m");
        assertThat(settings.withLake().heap(export)).isEqualTo("288m");
        assertThat(settings.heap(export.property("waybill.lake.bucket", "lake"))).isEqualTo("288m");
        assertThat(settings.heap(ServiceKind.EXPORT, "256m").withLake().heap(export)).isEqualTo("256m");
    }

    @Test
    void otherServicesHaveTheSameHeapWithLake() {
        Replica experiment = Replica.of(ServiceKind.EXPERIMENT, "experiment");

        assertThat(settings.withLake().heap(experiment)).isEqualTo(settings.heap(experiment));
    }
}
