package dev.waybill.controlplane;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.controlplane")
                .mayUse("integration", "account", "source")
                .mayUse("deployment", "account", "engine", "integration", "revision", "source", "thread")
                .mayUse("notification", "account")
                .mayUse("push", "deployment", "integration", "source")
                .mayUse("engine", "source")
                .mayUse("event", "revision")
                .mayUse("application", "engine", "integration", "revision", "source")
                .mayUse("rollout", "engine", "integration", "revision", "source", "thread")
                .mayUse("thread", "engine")
                .tests();
    }
}
