package dev.waybill.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.waybill.common.testing.ArchitectureRules;

class ArchitectureTest {

    private static final String ROOT = "dev.waybill.runtime";

    @TestFactory
    Stream<DynamicTest> architecture() {
        return ArchitectureRules.of(ROOT)
                .mayUse("worker", "protocol")
                .mayUse("checkpoint", "protocol", "storage", "worker")
                .mayUse("assistant", "access", "storage", "worker")
                .mayUse("tracing", "protocol")
                .mayUse("jsonstate", "event", "storage")
                .mayUse("run", "assistant", "checkpoint", "event", "jsonstate", "protocol", "storage", "tracing", "worker")
                .mayUse("channel", "event")
                .mayUse("stream", "access", "channel", "event", "run", "storage")
                .mayUse("storage")
                .mayUse("access", "storage")
                .mayUse("thread", "access", "storage")
                .mayUse("item", "access", "storage")
                .mayUse("cron", "access", "assistant", "event", "run", "storage")
                .mayUse("state", "access", "assistant", "checkpoint", "event", "jsonstate", "protocol", "run", "storage",
                        "thread", "worker")
                .tests();
    }

    @Test
    void onlyTheSqliteAdapterUsesJdbc() {
        noClasses().that().resideOutsideOfPackage(ROOT + ".storage.sqlite..")
                .should().dependOnClassesThat().resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..")
                .because("other storages replace it behind the port (docs/decisions/0172)")
                .check(classes());
    }

    @Test
    void onlyThePostgresAdapterUsesItsClient() {
        noClasses().that().resideOutsideOfPackage(ROOT + ".storage.postgres..")
                .should().dependOnClassesThat().resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..",
                        "io.vertx.mutiny.sqlclient..", "io.vertx.mutiny.pgclient..")
                .because("other storages replace it behind the port (docs/decisions/0172)")
                .check(classes());
    }

    @Test
    void storagePortDependsOnNoAdapter() {
        noClasses().that().resideInAPackage(ROOT + ".storage")
                .should().dependOnClassesThat().resideInAPackage(ROOT + ".storage.*..")
                .because("the port is what several adapters implement (docs/decisions/0172)")
                .check(classes());
    }

    private static JavaClasses classes() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages(ROOT);
    }
}
