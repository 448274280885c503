package dev.waybill.export.verification;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.assertj.core.groups.Tuple;

import dev.waybill.export.Client;
import dev.waybill.export.Exports;
import io.restassured.response.Response;

/** Creates and reads verifications for tests. */
record Verifications(Exports exports) {

    Response create(UUID exportId) {
        return exports.client().post(Client.EXPORTS + "/" + exportId + "/verify");
    }

    Response get(UUID exportId, String id) {
        return exports.client().get(Client.EXPORTS + "/" + exportId + "/verifications/" + id);
    }

    Response list(UUID exportId, String query) {
        return exports.client().get(Client.EXPORTS + "/" + exportId + "/verifications" + query);
    }

    /** Creates a verification and waits until it has ended. */
    Response perform(UUID exportId) {
        Response created = create(exportId);
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        return awaitEnd(exportId, created.path("id"));
    }

    Response awaitEnd(UUID exportId, String id) {
        await().untilAsserted(() -> assertThat((String) get(exportId, id).path("status")).isIn("Completed", "Failed"));
        return get(exportId, id);
    }

    /** Returns path and kind of each object that differs. */
    static List<Tuple> mismatches(Response verification) {
        return verification.jsonPath().<Map<String, Object>> getList("result.mismatches").stream()
                .map(mismatch -> new Tuple(mismatch.get("path"), mismatch.get("kind")))
                .toList();
    }
}
