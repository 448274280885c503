package dev.waybill.console;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.console")
                .mayUse("session", "http", "service")
                .mayUse("proxy", "http", "service", "session")
                .mayUse("oidc", "http", "service", "session")
                .tests();
    }
}
