package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;

import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** Violates each rule on purpose, to verify that violations are detected. */
class ArchitectureRulesTest {

    @Test
    void detectsMethodReferenceToSystemTime() {
        assertViolated(CodeRules.all(), ReadsTheTime.class, "reads the time of day");
    }

    @Test
    void detectsTransactionsBesideTheDatabaseClass() {
        assertViolated(CodeRules.all(), DeclaresATransaction.class, "jakarta.transaction");
    }

    @Test
    void acceptsTimeOfAClock() {
        assertThat(violations(CodeRules.all(), AcceptsAClock.class)).isEmpty();
    }

    @Test
    void detectsMachineStateInStaticInitializers() {
        assertViolated(CodeRules.all(), StaticEnvironment.class, "static initializer");
        assertViolated(CodeRules.all(), StaticRandom.class, "static initializer");
        assertViolated(CodeRules.all(), StaticBuffer.class, "static initializer");
    }

    @Test
    void acceptsEnvironmentInABean() {
        assertThat(violations(CodeRules.all(), ReadsTheEnvironment.class)).isEmpty();
    }

    @Test
    void detectsAwaitAndSubscribe() {
        assertViolated(CodeRules.all(), Waits.class, "Uni.await");
        assertViolated(CodeRules.all(), Subscribes.class, "Uni.subscribe");
    }

    @Test
    void detectsFieldInjection() {
        assertViolated(CodeRules.all(), InjectsAField.class, "@Inject");
    }

    @Test
    void detectsUnsecuredOperations() {
        assertViolated(ApiRules.all(), OpenResource.class, "does not declare its security");
    }

    @Test
    void detectsOperationsWithoutMediaTypes() {
        assertViolated(ApiRules.all(), OpenResource.class, "does not declare what it produces");
        assertViolated(ApiRules.all(), UntypedResource.class, "does not declare what it consumes");
    }

    @Test
    void detectsVagueNames() {
        assertViolated(StructureRules.names(), SecretHelper.class, "name matching");
    }

    private static void assertViolated(List<ArchRule> rules, Class<?> violator, String rule) {
        assertThat(violations(rules, violator)).anyMatch(report -> report.contains(rule));
    }

    private static List<String> violations(List<ArchRule> rules, Class<?> violator) {
        return rules.stream()
                .map(rule -> rule.allowEmptyShould(true).evaluate(new ClassFileImporter().importClasses(violator)))
                .filter(result -> result.hasViolation())
                .map(result -> result.getFailureReport().toString())
                .toList();
    }

    private static final class DeclaresATransaction {

        @jakarta.transaction.Transactional
        void insert() {
        }
    }

    static final class ReadsTheTime {

        final Supplier<Instant> time = Instant::now;
    }

    static final class StaticEnvironment {

        static final Map<String, String> ENVIRONMENT = System.getenv();
    }

    static final class StaticRandom {

        static final SecureRandom RANDOM = new SecureRandom();
    }

    static final class StaticBuffer {

        static final Buffer BUFFER = Buffer.buffer("once");
    }

    static final class ReadsTheEnvironment {

        final Map<String, String> environment = System.getenv();
    }

    static final class AcceptsAClock {

        Instant time(Clock clock) {
            return Instant.now(clock);
        }
    }

    static final class Waits {

        String value(Uni<String> later) {
            return later.await().indefinitely();
        }
    }

    static final class Subscribes {

        void forget(Uni<String> later) {
            later.subscribe().with(value -> {
            });
        }
    }

    static final class InjectsAField {

        @Inject
        Clock clock;
    }

    @Path("/open")
    static final class OpenResource {

        @GET
        public String get() {
            return "";
        }
    }

    @Path("/untyped")
    @Produces("application/json")
    static final class UntypedResource {

        @POST
        public String post(byte[] body) {
            return "";
        }
    }

    static final class SecretHelper {
    }
}
