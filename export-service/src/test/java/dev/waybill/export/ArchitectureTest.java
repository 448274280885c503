package dev.waybill.export;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.export")
                .mayUse("destination", "storage")
                .mayUse("parquet", "trace")
                .mayUse("run", "destination", "parquet", "storage", "trace")
                .mayUse("job", "destination", "parquet", "run", "storage")
                .mayUse("schedule", "destination", "job", "run", "storage")
                .mayUse("execution", "destination", "job", "parquet", "run", "storage", "trace")
                .mayUse("lake", "execution", "parquet", "run", "storage", "trace")
                .mayUse("verification", "destination", "execution", "job", "parquet", "run", "storage")
                .mayUse("preview", "destination", "job", "parquet", "run", "trace")
                .mayUse("snippet", "destination", "parquet", "run")
                .tests();
    }
}
