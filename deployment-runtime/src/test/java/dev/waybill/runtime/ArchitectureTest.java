package dev.waybill.runtime;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.runtime")
                .mayUse("worker", "protocol")
                .mayUse("checkpoint", "protocol", "worker")
                .mayUse("assistant", "worker")
                .mayUse("tracing", "protocol")
                .mayUse("run", "assistant", "event", "protocol", "tracing", "worker")
                .mayUse("stream", "access", "event", "run")
                .tests();
    }
}
