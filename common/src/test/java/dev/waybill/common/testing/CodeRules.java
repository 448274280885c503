package dev.waybill.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import java.time.Clock;
import java.util.List;

import jakarta.inject.Inject;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** What a line of code may not do. Accesses are looked at and not only calls, so method references count. */
final class CodeRules {

    private static final List<String> TRANSACTIONS = List.of("io.quarkus.hibernate.reactive.panache.common.WithTransaction",
            "io.quarkus.hibernate.reactive.panache.common.WithSession", "jakarta.transaction.Transactional");

    private CodeRules() {
    }

    static List<ArchRule> all() {
        return List.of(
                noFields().should().beAnnotatedWith(Inject.class)
                        .because("constructors show what a class needs"),
                noClasses().that().haveSimpleNameNotEndingWith("Clock").should().accessTargetWhere(readsTheTime())
                        .because("time comes from the injected Clock, so that tests can set it"),
                noClasses().should().accessTargetWhere(on(Uni.class, "await"))
                        .because("an event loop that waits stops everybody"),
                noClasses().that().haveSimpleNameNotEndingWith("Timer")
                        .should().accessTargetWhere(on(Uni.class, "subscribe").or(on(Multi.class, "subscribe")))
                        .because("nothing is fire-and-forget"),
                noMethods().that().areDeclaredInClassesThat().haveSimpleNameNotEndingWith("Service")
                        .should().beAnnotatedWith(DescribedPredicate.describe("a transaction",
                                annotation -> TRANSACTIONS.contains(annotation.getRawType().getName())))
                        .because("a transaction is one use case, and those are the services' public methods"));
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
