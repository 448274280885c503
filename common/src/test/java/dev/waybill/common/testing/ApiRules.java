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

/** Rules for resources, wire types and entities. */
final class ApiRules {

    private static final List<Class<? extends Annotation>> SECURITY = List.of(Authenticated.class, RolesAllowed.class,
            PermitAll.class, DenyAll.class);

    private ApiRules() {
    }

    static List<ArchRule> all() {
        return List.of(
                classes().that().areAnnotatedWith(Path.class).should().haveSimpleNameEndingWith("Resource")
                        .because("HTTP operations are found by the name *Resource"),
                classes().that().haveSimpleNameEndingWith("Resource").and().areTopLevelClasses()
                        .should().beAnnotatedWith(Path.class)
                        .because("a *Resource is an HTTP class"),
                noClasses().that().haveSimpleNameNotEndingWith("Resource")
                        .should().dependOnClassesThat(DescribedPredicate.describe("are resources",
                                target -> target.getPackageName().startsWith("dev.waybill.")
                                        && target.getSimpleName().endsWith("Resource")))
                        .because("services are independent of HTTP"),
                methods().that(DescribedPredicate.describe("answer HTTP", ApiRules::isOperation))
                        .should().bePublic()
                        .because("the framework ignores methods that are not public"),
                methods().that(DescribedPredicate.describe("answer HTTP", ApiRules::isOperation))
                        .should(declareSecurity())
                        .because("an operation without authentication must declare it"),
                methods().that(DescribedPredicate.describe("answer HTTP", ApiRules::isOperation))
                        .should(declareMediaTypes())
                        .because("otherwise the framework derives the response type from the request's Accept"),
                classes().that().haveSimpleNameEndingWith("Request").or().haveSimpleNameEndingWith("Response")
                        .should().beRecords()
                        .because("wire types are values"),
                noClasses().that().haveSimpleNameEndingWith("Request").or().haveSimpleNameEndingWith("Response")
                        .should().dependOnClassesThat().haveSimpleNameEndingWith("Entity")
                        .because("a change of a table must not change the API"),
                classes().that().haveSimpleNameEndingWith("Entity").or().haveSimpleNameEndingWith("Repository")
                        .should().bePackagePrivate()
                        .because("the compiler then prevents other features from accessing the tables"));
    }

    private static boolean isOperation(JavaMethod method) {
        return method.getOwner().isAnnotatedWith(Path.class) && method.isMetaAnnotatedWith(HttpMethod.class);
    }

    private static ArchCondition<JavaMethod> declareSecurity() {
        return new ArchCondition<>("declare their security") {
            @Override
            public void check(JavaMethod item, ConditionEvents events) {
                boolean declared = SECURITY.stream()
                        .anyMatch(
                                annotation -> item.isAnnotatedWith(annotation) || item.getOwner().isAnnotatedWith(annotation));
                if (!declared) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not declare its security"));
                }
            }
        };
    }

    private static ArchCondition<JavaMethod> declareMediaTypes() {
        return new ArchCondition<>("declare what they produce, and what they consume if they have a body") {
            @Override
            public void check(JavaMethod item, ConditionEvents events) {
                if (!isAnnotated(item, Produces.class)) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not declare what it produces"));
                }
                boolean takesABody = item.getRawParameterTypes().stream()
                        .anyMatch(type -> type.isRecord() || type.isEquivalentTo(byte[].class));
                if (takesABody && !isAnnotated(item, Consumes.class)) {
                    events.add(SimpleConditionEvent.violated(item, item.getFullName() + " does not declare what it consumes"));
                }
            }
        };
    }

    private static boolean isAnnotated(JavaMethod method, Class<? extends Annotation> annotation) {
        return method.isAnnotatedWith(annotation) || method.getOwner().isAnnotatedWith(annotation);
    }
}
