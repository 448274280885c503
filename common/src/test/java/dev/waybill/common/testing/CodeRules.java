package dev.waybill.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

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

/** Forbidden statements. The rules check accesses instead of calls, so that method references count. */
final class CodeRules {

    private static final Set<String> MACHINE_STATE = Set.of("java.security.SecureRandom", "java.util.Random",
            "java.util.SplittableRandom", "java.util.concurrent.ThreadLocalRandom", "java.util.random.RandomGenerator",
            "java.util.UUID.randomUUID", "java.lang.ProcessHandle", "java.lang.Runtime", "java.lang.System.getenv",
            "java.lang.System.getProperty", "java.lang.System.getProperties", "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis", "java.time.Clock.systemUTC", "java.time.Clock.systemDefaultZone",
            "java.time.ZoneId.systemDefault", "java.net.InetAddress", "java.nio.file.Files",
            "java.nio.file.Path.toAbsolutePath",
            "java.nio.file.Path.toRealPath", "java.lang.management.ManagementFactory",
            // Netty's buffers, which no image may contain.
            "io.vertx.core.buffer.Buffer", "io.netty.buffer.Unpooled");

    private CodeRules() {
    }

    static List<ArchRule> all() {
        return List.of(
                noFields().should().beAnnotatedWith(Inject.class)
                        .because("constructors show the dependencies of a class"),
                noClasses().that().haveSimpleNameNotEndingWith("Clock").should().accessTargetWhere(readsTheTime())
                        .because("time comes from the injected Clock, so that tests can set it"),
                noClasses().should().accessTargetWhere(readsMachineStateStatically())
                        .because(
                                "a native image runs static initializers on the build machine and would contain that machine's time, "
                                        + "environment, process, folders, random numbers and buffers"),
                noClasses().should().accessTargetWhere(on(Uni.class, "await"))
                        .because("a blocked event loop blocks all of its requests"),
                noClasses().that().haveSimpleNameNotEndingWith("Timer").and().haveSimpleNameNotEndingWith("Poller")
                        .and().doNotHaveSimpleName("JobRunner")
                        .should().accessTargetWhere(on(Uni.class, "subscribe").or(on(Multi.class, "subscribe")))
                        .because("failures of a subscription without an observer are lost"),
                noClasses().should().dependOnClassesThat()
                        .resideInAnyPackage("jakarta.persistence..", "jakarta.transaction..", "io.quarkus.hibernate.orm..",
                                "io.quarkus.hibernate.reactive..")
                        .because("services access the database by SQL through common.database only (docs/decisions/0150)"));
    }

    private static DescribedPredicate<JavaAccess<?>> readsMachineStateStatically() {
        return DescribedPredicate.describe("reads machine state in a static initializer", access -> {
            if (!access.getOrigin().getName().equals(JavaStaticInitializer.STATIC_INITIALIZER_NAME)) {
                return false;
            }
            String owner = access.getTarget().getOwner().getName();
            String name = access.getTarget().getName();
            return MACHINE_STATE.contains(owner) || MACHINE_STATE.contains(owner + "." + name)
                    || owner.startsWith("java.time.") && name.equals("now");
        });
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheTime() {
        return DescribedPredicate.describe("reads the time of day", access -> {
            AccessTarget target = access.getTarget();
            String owner = target.getOwner().getName();
            boolean now = owner.startsWith("java.time.") && target.getName().equals("now") && !acceptsAClock(target);
            boolean system = owner.equals(Clock.class.getName()) && target.getName().startsWith("system");
            boolean millis = owner.equals("java.lang.System") && target.getName().equals("currentTimeMillis");
            return now || system || millis;
        });
    }

    private static boolean acceptsAClock(AccessTarget target) {
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
