package dev.waybill.experiment.body;

import static dev.waybill.experiment.ApiClient.as;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;

/** Bodies that are bound to objects have a small limit, streamed bodies a large one. The test sends text that is not JSON. */
@QuarkusTest
class BodySizeFilterTest {

    private static final String LARGE = "x".repeat(3 << 20);

    private final Account account = Accounts.account().create();

    @ParameterizedTest
    @CsvSource({ "POST, /runs, 400", "POST, /api/v1/runs/batch, 400",
            "PATCH, /runs/01a1fb6f-cfcd-7000-8000-02eba7ec920f, 400", "POST, /otel/v1/traces, 400", "POST, /examples, 400",
            "POST, /runs/query, 413", "POST, /api/v1/runs/query/, 413", "POST, /sessions, 413", "POST, /datasets, 413" })
    void onlyStreamedBodiesMayBeLarge(String method, String path, int status) {
        as(account).contentType("application/json").body(LARGE).request(method, path).then().statusCode(status);
    }
}
