package dev.waybill.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import jakarta.inject.Inject;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaStaticInitializer;
import com.tngtech.archunit.lang.ArchRule;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** What a line of code may not do. Accesses are looked at and not only calls, so method references count. */
final class CodeRules {

    private static final List<String> TRANSACTIONS = List.of("io.quarkus.hibernate.reactive.panache.common.WithTransaction",
            "io.quarkus.hibernate.reactive.panache.common.WithSession", "jakarta.transaction.Transactional");

    private static final Set<String> OF_THE_MACHINE = Set.of("java.security.SecureRandom", "java.util.Random",
            "java.util.SplittableRandom", "java.util.concurrent.ThreadLocalRandom", "java.util.random.RandomGenerator",
            "java.util.UUID.randomUUID", "java.lang.ProcessHandle", "java.lang.Runtime", "java.lang.System.getenv",
            "java.lang.System.getProperty", "java.lang.System.getProperties", "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis", "java.time.Clock.systemUTC", "java.time.Clock.systemDefaultZone",
            "java.time.ZoneId.systemDefault", "java.net.InetAddress", "java.nio.file.Files",
            "java.nio.file.Path.toAbsolutePath",
            "java.nio.file.Path.toRealPath", "java.lang.management.ManagementFactory",
            // Netty's memory, which no image may hold.
            "io.vertx.core.buffer.Buffer", "io.netty.buffer.Unpooled");

    private CodeRules() {
    }

    static List<ArchRule> all() {
        return List.of(
                noFields().should().beAnnotatedWith(Inject.class)
                        .because("constructors show what a class needs"),
                noClasses().that().haveSimpleNameNotEndingWith("Clock").should().accessTargetWhere(readsTheTime())
                        .because("time comes from the injected Clock, so that tests can set it"),
                noClasses().should().accessTargetWhere(freezesTheBuilder())
                        .because(
                                "a native image runs static initializers where it is built: they would keep that machine's time, "
                                        + "environment, process, folders, random numbers and buffers"),
                noClasses().should().accessTargetWhere(on(Uni.class, "await"))
                        .because("an event loop that waits stops everybody"),
                noClasses().that().haveSimpleNameNotEndingWith("Timer").and().haveSimpleNameNotEndingWith("Poller")
                        .should().accessTargetWhere(on(Uni.class, "subscribe").or(on(Multi.class, "subscribe")))
                        .because("nothing is fire-and-forget"),
                noMethods().that().areDeclaredInClassesThat().haveSimpleNameNotEndingWith("Service")
                        .should().beAnnotatedWith(DescribedPredicate.describe("a transaction",
                                annotation -> TRANSACTIONS.contains(annotation.getRawType().getName())))
                        .because("a transaction is one use case, and those are the services' public methods"));
    }

    private static DescribedPredicate<JavaAccess<?>> freezesTheBuilder() {
        return DescribedPredicate.describe("is of the machine and in a static initializer", access -> {
            if (!access.getOrigin().getName().equals(JavaStaticInitializer.STATIC_INITIALIZER_NAME)) {
                return false;
            }
            String owner = access.getTarget().getOwner().getName();
            String name = access.getTarget().getName();
            return OF_THE_MACHINE.contains(owner) || OF_THE_MACHINE.contains(owner + "." + name)
                    || owner.startsWith("java.time.") && name.equals("now");
        });
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheTime() {
        return DescribedPredicate.describe("reads the time of day", access -> {
            AccessTarget target = access.getTarget();
            String owner = target.getOwner().getName();
            boolean now = owner.startsWith("java.time.") && target.getName().equals("now") && !takesAClock(target);
            boolean system = owner.equals(Clock.class.getName()) && target.getName().startsWith("system");
            boolean millis = owner.equals("java.lang.System") && target.getName().equals("currentTimeMillis");
            return now || system || millis;
        });
    }

    private static boolean takesAClock(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    }

    private static DescribedPredicate<JavaAccess<?>> on(Class<?> owner, String method) {
        return DescribedPredicate.describe("is " + owner.getSimpleName() + "." + method, access -> {
            JavaClass target = access.getTargetOwner();
            return target.isAssignableTo(owner) && access.getTarget().getName().equals(method);
        });
    }
}
