package dev.waybill.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.NullMarked;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Rules for dependencies and names. */
final class StructureRules {

    private static final String PROJECT = "dev.waybill.";
    private static final String COMMON = "dev.waybill.common";

    private StructureRules() {
    }

    static ArchRule onlyAllowedEdges(String root, Map<String, Set<String>> edges) {
        return classes().that().resideInAPackage(root + "..")
                .should(new ArchCondition<>("use other features only where the module's test allows it") {
                    @Override
                    public void check(JavaClass item, ConditionEvents events) {
                        for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                            Optional<String> from = feature(root, item);
                            Optional<String> to = feature(root, dependency.getTargetClass());
                            if (from.isPresent() && to.isPresent() && !from.equals(to)
                                    && !edges.getOrDefault(from.get(), Set.of()).contains(to.get())) {
                                events.add(SimpleConditionEvent.violated(item,
                                        from.get() + " → " + to.get() + ": " + dependency.getDescription()));
                            }
                        }
                    }
                })
                .because("dependencies have one direction, and a new one is a decision");
    }

    static ArchRule ownModuleAndCommonOnly(String root) {
        return noClasses().that().resideInAPackage(root + "..")
                .should().dependOnClassesThat(DescribedPredicate.describe("belong to another service",
                        target -> target.getPackageName().startsWith(PROJECT) && !isWithin(root, target)
                                && !isWithin(COMMON, target)))
                .because("services use each other by HTTP only, and common uses none of them");
    }

    static List<ArchRule> technologyStaysHome(String root) {
        return List.of(
                home(root, "storage", "software.amazon.."),
                home(root, "parquet", "org.apache.parquet..", "org.apache.hadoop.."),
                home(root, "trace", "org.postgresql.."),
                home(root, "engine.kubernetes", "io.fabric8.."),
                home(root, "source", "org.eclipse.jgit.."));
    }

    static List<ArchRule> names() {
        return List.of(
                noClasses().should()
                        .haveNameMatching(".*[.$]([A-Za-z]*(Impl|Utils?|Helper|Manager|Dto|Data)|(Base|Abstract)[A-Z]\\w*)")
                        .because("such a name does not describe the purpose of the class"),
                noClasses().should().resideInAnyPackage("..util..", "..utils..", "..misc..", "..support..", "..impl..")
                        .because("a package is named after its topic"),
                classes().should(new ArchCondition<>("reside in a package that is @NullMarked") {
                    @Override
                    public void check(JavaClass item, ConditionEvents events) {
                        JavaPackage home = item.getPackage();
                        if (!home.isAnnotatedWith(NullMarked.class)) {
                            events.add(
                                    SimpleConditionEvent.violated(item, home.getName() + " has no @NullMarked package-info"));
                        }
                    }
                }).because("null is a declared type"));
    }

    private static ArchRule home(String root, String feature, String... technology) {
        return noClasses().that().resideOutsideOfPackage(root + "." + feature + "..")
                .should().dependOnClassesThat().resideInAnyPackage(technology)
                .because("only " + feature + " is the only user of this technology, so that it can be replaced");
    }

    private static Optional<String> feature(String root, JavaClass item) {
        String name = item.getPackageName();
        if (!name.startsWith(root + ".")) {
            return Optional.empty();
        }
        return Optional.of(name.substring(root.length() + 1).split("\\.")[0]);
    }

    private static boolean isWithin(String root, JavaClass item) {
        return item.getPackageName().equals(root) || item.getPackageName().startsWith(root + ".");
    }
}
