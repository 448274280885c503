package dev.waybill.common.testing;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The architecture rules of every module; a module defines only which of its features may use each other.
 *
 * <pre>
 * &#64;TestFactory
 * Stream&lt;DynamicTest&gt; architecture() {
 *     return ArchitectureRules.of("dev.waybill.export")
 *             .mayUse("execution", "run", "trace", "parquet", "storage")
 *             .tests();
 * }
 * </pre>
 */
public final class ArchitectureRules {

    private final String root;
    private final Map<String, Set<String>> edges = new HashMap<>();

    private ArchitectureRules(String root) {
        this.root = root;
    }

    /** @param root the module's root package; the packages directly below it are its features */
    public static ArchitectureRules of(String root) {
        return new ArchitectureRules(root);
    }

    /** Allows one feature to use others; all other uses are failures. */
    public ArchitectureRules mayUse(String feature, String... others) {
        edges.put(feature, Set.of(others));
        return this;
    }

    /** Returns one test for each rule, with the rule as its name. */
    public Stream<DynamicTest> tests() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages(root);
        return Stream.concat(
                rules().stream().map(rule -> DynamicTest.dynamicTest(rule.getDescription(),
                        () -> rule.allowEmptyShould(true).check(classes))),
                Stream.of(DynamicTest.dynamicTest("docs/roles.md has the role of every operation",
                        () -> RoleReference.assertComplete(classes))));
    }

    private List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(slices().matching(root + ".(*)..")
                .should().beFreeOfCycles()
                .because("features in a cycle cannot be read, tested or moved alone"));
        rules.add(StructureRules.onlyAllowedEdges(root, edges));
        rules.add(StructureRules.ownModuleAndCommonOnly(root));
        rules.addAll(StructureRules.technologyStaysHome(root));
        rules.addAll(StructureRules.names());
        rules.addAll(ApiRules.all());
        rules.addAll(CodeRules.all());
        return rules;
    }
}
