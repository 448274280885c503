package dev.waybill.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;

class CallerContextTest {

    private static final UUID ORGANIZATION = UUID.randomUUID();
    private static final UUID WORKSPACE = UUID.randomUUID();

    @Test
    void workspaceIsTheOneOfTheKey() {
        assertThat(context(Plan.FREE, WORKSPACE).workspace()).isEqualTo(WORKSPACE);
    }

    @Test
    void returns403WithoutAWorkspace() {
        assertThatThrownBy(() -> context(Plan.FREE, null).workspace())
                .isInstanceOfSatisfying(ProblemException.class, problem -> {
                    assertThat(problem.type().status()).isEqualTo(403);
                    assertThat(problem.type().slug()).isEqualTo("org_scoped_key_requires_workspace");
                })
                .hasMessageContaining("requires workspace specification")
                .hasMessageContaining("X-Tenant-Id");
    }

    @Test
    void returns403ForOtherPlans() {
        // Given
        CallerContext plus = context(Plan.PLUS, WORKSPACE);

        // When
        plus.requirePlan("Bulk export", Plan.PLUS, Plan.ENTERPRISE);

        // Then
        assertThatThrownBy(() -> plus.requirePlan("Everything", Plan.ENTERPRISE))
                .hasMessage("Everything needs the plan enterprise; this organization has the plan plus.");
        assertThatThrownBy(() -> context(Plan.FREE, WORKSPACE).requirePlan("Bulk export", Plan.PLUS, Plan.ENTERPRISE))
                .hasMessage("Bulk export needs the plan plus or enterprise; this organization has the plan free.")
                .isInstanceOfSatisfying(ProblemException.class, problem -> assertThat(problem.type().status()).isEqualTo(403));
    }

    @Test
    void operatorHasNoCaller() {
        // Given
        CallerContext operator = new CallerContext(QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal("operator"))
                .addRole(Role.OPERATOR)
                .build());

        // Then
        assertThatThrownBy(operator::caller).hasMessageContaining("belongs to no organization");
    }

    private static CallerContext context(Plan plan, UUID workspaceId) {
        return new CallerContext(QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal("key"))
                .addAttribute(Caller.ATTRIBUTE,
                        new Caller(ORGANIZATION, plan, workspaceId, workspaceId != null, UUID.randomUUID(), null,
                                KeyRole.MEMBER,
                                false, null))
                .build());
    }
}
