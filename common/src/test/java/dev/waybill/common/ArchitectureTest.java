package dev.waybill.common;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.common")
                .mayUse("audit", "api", "database", "id", "limit", "logging", "net")
                .mayUse("database", "reactive")
                .mayUse("edge", "id", "limit", "logging", "net", "problem", "security")
                .mayUse("event", "api", "database")
                .mayUse("filter", "lake", "problem", "time")
                .mayUse("idempotency", "database", "id", "problem", "reactive", "secret", "security")
                .mayUse("job", "database", "logging", "reactive", "time")
                .mayUse("json", "api", "problem", "time")
                .mayUse("limit", "problem", "reactive")
                .mayUse("logging", "id")
                .mayUse("negotiation", "problem")
                .mayUse("notification", "api")
                .mayUse("openapi", "page", "problem", "logging")
                .mayUse("page", "problem")
                .mayUse("problem", "database", "logging")
                .mayUse("secret", "problem", "reactive")
                .mayUse("security", "api", "audit", "database", "id", "logging", "problem", "reactive")
                .mayUse("startup", "secret", "security", "edge", "net")
                .mayUse("telemetry", "id", "logging", "net")
                .tests();
    }
}
