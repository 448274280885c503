package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Tests the validation of stored destinations: {@code POST .../destinations/{id}/test}. */
@ExportServiceTest
class DestinationRevalidationTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    private final Account account = Accounts.account().create();
    private final Client client = Client.as(account);
    private FaultProxy proxy;
    private String id;

    @BeforeEach
    void create() {
        proxy = FaultProxy.before(dev.waybill.export.Bucket.endpoint());
        id = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).token("before").json()).path("id");
        proxy.clear();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void responseListsEveryStepAndCapability() {
        Response tested = test();

        assertThat(tested.statusCode()).as(tested.asString()).isEqualTo(200);
        assertThat((String) tested.path("id")).isEqualTo(id);
        assertThat((List<String>) tested.path("steps.step")).containsExactly("address", "connect", "signature", "bucket",
                "write",
                "read", "multipart", "delete");
        assertThat((List<Boolean>) tested.path("steps.passed")).containsOnly(true);
        assertThat(tested.jsonPath().<String, Boolean> getMap("capabilities")).hasSize(4).containsEntry("read", true)
                .containsEntry("delete", true).containsEntry("abort_uploads", true).containsEntry("list_uploads", true);
        assertThat(client.get(PATH + "/" + id).asString()).contains("session_token");
    }

    @Test
    void revokedPermissionsAreReturnedAndStored() {
        proxy.always("AbortMultipartUpload", Fault.error(403, "AccessDenied"));
        proxy.always("GetObject", Fault.error(403, "AccessDenied"));

        Response tested = test();

        assertThat((boolean) tested.path("steps.find { it.step == 'read' }.passed")).isFalse();
        assertThat((boolean) tested.path("steps.find { it.step == 'write' }.passed")).isTrue();
        assertThat((boolean) tested.path("capabilities.abort_uploads")).isFalse();
        assertThat(permissions()).containsExactly("f t f t");
        proxy.clear();
        assertThat(test().statusCode()).isEqualTo(200);
        assertThat(permissions()).containsExactly("t t t t");
    }

    @Test
    void failedStepReturnsTheSameErrorAsAtCreation() {
        proxy.always("PutObject", Fault.error(403, "InvalidAccessKeyId"));

        Response refused = test();

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat((String) refused.path("title")).isEqualTo("Key ID you provided does not exist");
        assertThat((String) refused.path("step")).isEqualTo("signature");
        assertThat(permissions()).containsExactly("t t t t");
    }

    @Test
    void everyTestWritesItsOwnObject() {
        test();
        test();

        assertThat(proxy.calls().stream().filter(call -> call.operation().equals("PutObject")).toList()).hasSize(2)
                .allSatisfy(call -> assertThat(call.headers()).containsEntry("If-None-Match", "*"))
                .extracting(FaultProxy.S3Call::path).doesNotHaveDuplicates()
                .allSatisfy(path -> assertThat(path).matches("/exports/tmp/waybill-[0-9a-f-]{36}\\.txt"));
    }

    @Test
    void credentialsReplacedDuringTheTestRemain() throws Exception {
        // Given: a test in progress while other credentials are stored
        CompletableFuture<Void> release = new CompletableFuture<>();
        proxy.times(1, "PutObject", new Fault.Block(release));
        CompletableFuture<Response> test = CompletableFuture.supplyAsync(this::test);
        Patience.await().until(() -> !proxy.calls().isEmpty());

        // When
        Response updated = client.patch(PATH + "/" + id, DestinationBody.valid().update());
        release.complete(null);

        // Then
        assertThat(updated.statusCode()).as(updated.asString()).isEqualTo(200);
        Response tested = test.get(2, TimeUnit.MINUTES);
        assertThat(tested.statusCode()).as(tested.asString()).isEqualTo(200);
        assertThat((List<String>) client.get(PATH + "/" + id).path("credentials_keys")).doesNotContain("session_token");
        assertThat(test().statusCode()).isEqualTo(200);
    }

    @Test
    void returns403ForMembersAndFreePlans() {
        Client member = Client.as(Accounts.account().inWorkspaceOf(account).role("member").create());
        Client free = Client.as(Accounts.account().plan("free").create());

        assertThat(member.post(PATH + "/" + id + "/test", "").statusCode()).isEqualTo(403);
        assertThat(free.post(PATH + "/" + id + "/test", "").statusCode()).isEqualTo(403);
        assertThat(proxy.calls()).isEmpty();
    }

    private Response test() {
        return client.post(PATH + "/" + id + "/test", "");
    }

    private List<String> permissions() {
        return DatabaseRows
                .text("SELECT concat_ws(' ', may_read, may_delete, may_abort, may_list_uploads) FROM export.destinations"
                        + " WHERE id = '" + id + "'");
    }
}
