package dev.waybill.controlplane;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.EveryOperationContract;
import dev.waybill.common.testing.NegotiationChecks;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class EveryOperationTest extends EveryOperationContract {

    EveryOperationTest() {
        super(Set.of("POST /v1/integrations/repohost/webhook", "POST /v1/integrations/repohost/{integration_id}/webhook"),
                Set.of("GET /v1/whoami"), "account", "deploy");
    }

    @Override
    protected String authenticatedPath() {
        return "/v1/whoami";
    }

    @Override
    protected NegotiationChecks negotiation(Account account) {
        return super.negotiation(account).withKey("/v1/organizations", ControlPlaneSettings.OPERATOR_KEY);
    }

    @Test
    void missingRoleIsRejectedBeforeBodiesAreRead() {
        String member = Accounts.account().role("member").create().key();

        access().assertRejectionComesFirst("a member's key", Map.of("X-Api-Key", member));
    }
}
