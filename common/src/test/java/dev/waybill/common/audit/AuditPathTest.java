package dev.waybill.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditPathTest {

    private static final String ROUTE = "/v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt";
    private static final String DEPLOYMENT = "019aa39c-0c26-7b30-8f5a-3d2b1f0c9e77";
    private static final String REVISION = "019aa39c-0c26-7b30-8f5a-3d2b1f0c9e78";

    @Test
    void pathContainsIdsAndLastIdIsTheInnermost() {
        // When
        AuditPath path = AuditPath.of(ROUTE, "/v2/deployments/" + DEPLOYMENT + "/revisions/" + REVISION + "/interrupt");

        // Then
        assertThat(path.path()).isEqualTo("/v2/deployments/" + DEPLOYMENT + "/revisions/" + REVISION + "/interrupt");
        assertThat(path.lastId()).contains(REVISION);
    }

    @ParameterizedTest
    @ValueSource(strings = { "wb_00000000_secret", "a%0Ab", "", "019aa39c-0c26-7b30-8f5a-3d2b1f0c9e77x" })
    void omitsValuesThatAreNotUuids(String value) {
        // When
        AuditPath path = AuditPath.of("/v1/api-keys/{id}", "/v1/api-keys/" + value);

        // Then
        assertThat(path.path()).isEqualTo("/v1/api-keys/{id}");
        assertThat(path.lastId()).isEmpty();
    }

    @Test
    void requestWithoutOperationHasNoPath() {
        // When
        AuditPath path = AuditPath.of(null, "/whatever/" + DEPLOYMENT);

        // Then
        assertThat(path.path()).isEqualTo("-");
        assertThat(path.lastId()).isEmpty();
    }
}
