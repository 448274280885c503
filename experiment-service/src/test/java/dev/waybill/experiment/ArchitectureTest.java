package dev.waybill.experiment;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.experiment")
                .mayUse("body", "json")
                .mayUse("run", "json")
                .mayUse("otlp", "body", "json", "run", "intake")
                .mayUse("attachment", "json", "run")
                .mayUse("intake", "body", "json", "run", "session", "feedback")
                .mayUse("upload", "body", "json", "run", "session", "dataset", "example", "feedback")
                .mayUse("example", "body", "json", "dataset")
                .mayUse("comparison", "dataset")
                .mayUse("gate", "comparison")
                .mayUse("feedback", "json")
                .mayUse("session", "json", "dataset", "run", "summary")
                .mayUse("lake", "storage")
                .mayUse("query", "dataset", "json", "lake", "run", "summary")
                .mayUse("v2", "query", "run")
                .tests();
    }
}
