package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

class RunIdentityTest {

    private static final String DEPLOYMENT = UUID.randomUUID().toString();

    @Test
    void deploymentsOfAWorkspaceHaveDifferentIds() {
        UUID id = RunIdentity.idOf(DEPLOYMENT, "workspace", "/runs", "key");

        assertThat(RunIdentity.idOf(DEPLOYMENT, "workspace", "/runs", "key")).isEqualTo(id);
        assertThat(RunIdentity.idOf(UUID.randomUUID().toString(), "workspace", "/runs", "key")).isNotEqualTo(id);
        assertThat(id.version()).isEqualTo(8);
        assertThat(id.variant()).isEqualTo(2);
    }
}
