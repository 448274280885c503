package dev.waybill.experiment.body;

import static dev.waybill.experiment.Clients.as;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;

/** What is bound as a tree is small; what is read piece by piece may be large, and this is no JSON. */
@QuarkusTest
class BodySizeFilterTest {

    private static final String LARGE = "x".repeat(3 << 20);

    private final Account account = Accounts.account().create();

    @ParameterizedTest
    @CsvSource({ "POST, /runs, 400", "POST, /api/v1/runs/batch, 400",
            "PATCH, /runs/01a1fb6f-cfcd-7000-8000-02eba7ec920f, 400", "POST, /otel/v1/traces, 400", "POST, /examples, 400",
            "POST, /runs/query, 413", "POST, /api/v1/runs/query/, 413", "POST, /sessions, 413", "POST, /datasets, 413" })
    void onlyWhatIsReadPieceByPieceMayBeLarge(String method, String path, int status) {
        as(account).contentType("application/json").body(LARGE).request(method, path).then().statusCode(status);
    }
}
