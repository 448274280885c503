package dev.waybill.experiment;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of("dev.waybill.experiment")
                .mayUse("otlp", "body", "run", "intake")
                .mayUse("info", "body", "intake", "otlp")
                .mayUse("attachment", "run", "link")
                .mayUse("intake", "body", "run", "session", "feedback", "partition")
                .mayUse("upload", "body", "run", "session", "dataset", "example", "feedback", "partition")
                .mayUse("removal", "dataset", "session")
                .mayUse("example", "body", "run", "dataset")
                .mayUse("comparison", "dataset")
                .mayUse("gate", "comparison")
                .mayUse("feedback", "body", "run")
                .mayUse("session", "body", "dataset", "statistics")
                .mayUse("run", "body", "partition", "link")
                .mayUse("query", "run", "link")
                .mayUse("results", "query", "run", "dataset")
                .mayUse("v2", "query", "run", "results")
                .tests();
    }
}
