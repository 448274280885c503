package dev.waybill.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.lang.annotation.Annotation;
import java.util.List;

import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import io.quarkus.security.Authenticated;

/** What stands at the service's edges: resources, wire types, entities. */
final class EdgeRules {

    private static final List<Class<? extends Annotation>> SECURITY = List.of(Authenticated.class, RolesAllowed.class,
            PermitAll.class, DenyAll.class);

    private EdgeRules() {
    }

    static List<ArchRule> all() {
        return List.of(
                classes().that().areAnnotatedWith(Path.class).should().haveSimpleNameEndingWith("Resource")
                        .because("whoever looks for the edge looks for *Resource"),
                classes().that().haveSimpleNameEndingWith("Resource").and().areTopLevelClasses()
                        .should().beAnnotatedWith(Path.class)
                        .because("a *Resource is an HTTP class"),
                noClasses().that().haveSimpleNameNotEndingWith("Resource")
                        .should().dependOnClassesThat(DescribedPredicate.describe("are resources",
                                target -> target.getPackageName().startsWith("dev.waybill.")
                                        && target.getSimpleName().endsWith("Resource")))
                        .because("rules do not know how they are called"),
                methods().that(DescribedPredicate.describe("answer HTTP", EdgeRules::answersHttp))
                        .should().bePublic()
                        .because("a method that is not public is silently not served"),
                methods().that(DescribedPredicate.describe("answer HTTP", EdgeRules::answersHttp))
                        .should(sayWhoMayCall())
                        .because("a door without a lock must say that it is meant so"),
                methods().that(DescribedPredicate.describe("answer HTTP", EdgeRules::answersHttp))
                        .should(nameMediaTypes())
                        .because("else the framework takes the type of a response from the request's Accept"),
                classes().that().haveSimpleNameEndingWith("Request").or().haveSimpleNameEndingWith("Response")
                        .should().beRecords()
                        .because("what crosses the wire is a value"),
                noClasses().that().haveSimpleNameEndingWith("Request").or().haveSimpleNameEndingWith("Response")
                        .should().dependOnClassesThat().haveSimpleNameEndingWith("Entity")
                        .because("the wire does not change because a table does"),
                classes().that().haveSimpleNameEndingWith("Entity").or().haveSimpleNameEndingWith("Repository")
                        .should().bePackagePrivate()
                        .because("then the compiler keeps other features away from the tables"));
    }

    private static boolean answersHttp(JavaMethod method) {
        return method.getOwner().isAnnotatedWith(Path.class) && method.isMetaAnnotatedWith(HttpMethod.class);
    }

    private static ArchCondition<JavaMethod> sayWhoMayCall() {
        return new ArchCondition<>("be secured or say that they are open") {
            @Override
            public void check(JavaMethod item, ConditionEvents events) {
                boolean said = SECURITY.stream()
                        .anyMatch(
                                annotation -> item.isAnnotatedWith(annotation) || item.getOwner().isAnnotatedWith(annotation));
                if (!said) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not say who may call it"));
                }
            }
        };
    }

    private static ArchCondition<JavaMethod> nameMediaTypes() {
        return new ArchCondition<>("name what they produce, and what they consume where they take a body") {
            @Override
            public void check(JavaMethod item, ConditionEvents events) {
                if (!isAnnotated(item, Produces.class)) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not say what it produces"));
                }
                boolean takesABody = item.getRawParameterTypes().stream()
                        .anyMatch(type -> type.isRecord() || type.isEquivalentTo(byte[].class));
                if (takesABody && !isAnnotated(item, Consumes.class)) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not say what it consumes"));
                }
            }
        };
    }

    private static boolean isAnnotated(JavaMethod method, Class<? extends Annotation> annotation) {
        return method.isAnnotatedWith(annotation) || method.getOwner().isAnnotatedWith(annotation);
    }
}
