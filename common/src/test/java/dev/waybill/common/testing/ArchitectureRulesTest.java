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

/** A rule that nothing can break is no rule: each of these is broken here on purpose. */
class ArchitectureRulesTest {

    @Test
    void aMethodReferenceToTheTimeIsSeen() {
        assertBroken(CodeRules.all(), ReadsTheTime.class, "reads the time of day");
    }

    @Test
    void theTimeOfAClockIsFine() {
        assertThat(broken(CodeRules.all(), TakesAClock.class)).isEmpty();
    }

    @Test
    void aStaticOfTheMachineIsSeen() {
        assertBroken(CodeRules.all(), KeepsTheEnvironment.class, "static initializer");
        assertBroken(CodeRules.all(), KeepsARandom.class, "static initializer");
        assertBroken(CodeRules.all(), KeepsABuffer.class, "static initializer");
    }

    @Test
    void theEnvironmentOfABeanIsFine() {
        assertThat(broken(CodeRules.all(), ReadsTheEnvironment.class)).isEmpty();
    }

    @Test
    void waitingAndSubscribingAreSeen() {
        assertBroken(CodeRules.all(), Waits.class, "Uni.await");
        assertBroken(CodeRules.all(), Subscribes.class, "Uni.subscribe");
    }

    @Test
    void fieldInjectionIsSeen() {
        assertBroken(CodeRules.all(), InjectsAField.class, "@Inject");
    }

    @Test
    void doorsWithoutLockAreSeen() {
        assertBroken(EdgeRules.all(), OpenResource.class, "secured");
    }

    @Test
    void operationsWithoutMediaTypesAreSeen() {
        assertBroken(EdgeRules.all(), OpenResource.class, "does not say what it produces");
        assertBroken(EdgeRules.all(), UntypedResource.class, "does not say what it consumes");
    }

    @Test
    void weaselNamesAreSeen() {
        assertBroken(StructureRules.names(), SecretHelper.class, "name matching");
    }

    private static void assertBroken(List<ArchRule> rules, Class<?> sinner, String rule) {
        assertThat(broken(rules, sinner)).anyMatch(report -> report.contains(rule));
    }

    private static List<String> broken(List<ArchRule> rules, Class<?> sinner) {
        return rules.stream()
                .map(rule -> rule.allowEmptyShould(true).evaluate(new ClassFileImporter().importClasses(sinner)))
                .filter(result -> result.hasViolation())
                .map(result -> result.getFailureReport().toString())
                .toList();
    }

    static final class ReadsTheTime {

        final Supplier<Instant> time = Instant::now;
    }

    static final class KeepsTheEnvironment {

        static final Map<String, String> ENVIRONMENT = System.getenv();
    }

    static final class KeepsARandom {

        static final SecureRandom RANDOM = new SecureRandom();
    }

    static final class KeepsABuffer {

        static final Buffer BUFFER = Buffer.buffer("once");
    }

    static final class ReadsTheEnvironment {

        final Map<String, String> environment = System.getenv();
    }

    static final class TakesAClock {

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
