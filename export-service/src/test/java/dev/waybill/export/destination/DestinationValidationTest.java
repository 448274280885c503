package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Tests the four named errors with their steps (interface.md section 7), and validation without optional permissions (F12). */
@ExportServiceTest
class DestinationValidationTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    private final Client client = Client.as(Accounts.account().create());
    private final Bucket bucket = new Bucket();
    private FaultProxy proxy;

    @BeforeEach
    void start() {
        proxy = FaultProxy.before(java.net.URI.create(DestinationBody.setting("endpoint")));
    }

    @AfterEach
    void stop() {
        proxy.close();
        bucket.close();
    }

    @Test
    void unknownKeyIdReturnsKeyIdError() {
        assertRefused(DestinationBody.valid().keyId("AKIAUNKNOWN"), "Key ID you provided does not exist", "signature");
    }

    @Test
    void wrongSecretReturnsAccessDenied() {
        assertRefused(DestinationBody.valid().secret("not-the-secret"), "Access denied", "signature");
    }

    @Test
    void missingBucketReturnsBucketNotValid() {
        assertRefused(DestinationBody.valid().bucket("no-such-bucket"), "Bucket is not valid", "bucket");
    }

    @ParameterizedTest
    @CsvSource({
            "PutObject, 403, AccessDenied, Access denied, write",
            "PutObject, 400, ExpiredToken, Access denied, signature",
            "PutObject, 301, PermanentRedirect, Bucket is not valid, bucket",
            "PutObject, 400, AuthorizationHeaderMalformed, Bucket is not valid, bucket",
            "PutObject, 400, SomethingElse, Bucket is not valid, write",
            "PutObject, 500, InternalError, Invalid endpoint, connect",
            "CreateMultipartUpload, 403, AccessDenied, Access denied, multipart",
            "CreateMultipartUpload, 501, NotImplemented, Invalid endpoint, multipart",
            "UploadPart, 403, AccessDenied, Access denied, multipart",
            "PutObject, 403, QuotaExceeded, Bucket is not valid, write",
            "PutObject, 507, XMinioStorageFull, Bucket is not valid, write",
            "PutObject, 400, KMS.NotFoundException, Bucket is not valid, write",
            "PutObject, 400, AccessControlListNotSupported, Bucket is not valid, write",
    })
    void errorNamesTheFailedStep(String operation, int status, String code, String title, String step) {
        proxy.always(operation, Fault.error(status, code));

        assertRefused(DestinationBody.valid().endpoint(proxy.endpoint()), title, step);
    }

    static Stream<Fault> responsesOfOtherServers() {
        return Stream.of(new Fault.Respond(404, "text/html", "<html>Not found</html>"),
                new Fault.Respond(200, "text/html", "<html>Welcome, INTERNAL-BANNER</html>"),
                new Fault.Respond(401, "text/plain", "INTERNAL-BANNER"),
                new Fault.Respond(403, "text/html", "<html>INTERNAL-BANNER</html>"),
                new Fault.Respond(302, "text/html", ""),
                new Fault.Redirect(307, "http://169.254.169.254/latest/meta-data/"),
                new Fault.Drop());
    }

    @ParameterizedTest
    @MethodSource("responsesOfOtherServers")
    void otherServersAreInvalidEndpoints(Fault fault) {
        List.of("PutObject", "GetObject", "CreateMultipartUpload", "DeleteObject").forEach(call -> proxy.always(call, fault));

        Response refused = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).json());

        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(400);
        assertThat((String) refused.path("title")).isEqualTo("Invalid endpoint");
        assertThat(refused.asString()).doesNotContain("BANNER", "html");
    }

    @Tag("full")
    @Test
    void errorDoesNotRevealWhatListensAtTheAddress() throws IOException {
        // Given: a closed port, a silent listener, another kind of server, a server that disconnects, and one that fails
        int closedPort;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = free.getLocalPort();
        }
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Fault> faults = List.of(new Fault.Respond(401, "text/plain", "INTERNAL-BANNER"), new Fault.Drop(),
                    new Fault.Respond(404, "application/json", "{}"), Fault.error(503, "SlowDown"));

            // When
            Stream<String> bodies = Stream.concat(
                    Stream.of(closedPort, silent.getLocalPort()).map(port -> refusal("http://127.0.0.1:" + port)),
                    faults.stream().map(fault -> {
                        proxy.clear();
                        return refusal(proxy.always("PutObject", fault).endpoint().toString());
                    }));

            // Then
            assertThat(bodies.distinct().toList()).singleElement().asString()
                    .contains("\"title\":\"Invalid endpoint\"", "\"step\":\"connect\"");
        }
    }

    /** Neither the existence of an internal name nor of a listener is revealed. */
    @Test
    void internalAddressesReturnIdenticalErrors() {
        List<String> bodies = Stream.of("http://10.0.0.1", "http://10.0.0.1:9000", "https://192.168.1.1:8443",
                "http://169.254.169.254", "https://[fd00:ec2::254]", "https://no-such-host.invalid",
                "https://no-such-host.invalid:9000").map(this::refusal).distinct().toList();

        assertThat(bodies).singleElement().asString().contains("\"title\":\"Invalid endpoint\"", "\"step\":\"address\"");
    }

    /** Returns the error response without members that differ in every response. */
    private String refusal(String endpoint) {
        Response refused = client.post(PATH, DestinationBody.valid().endpoint(endpoint).json());
        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(400);
        return refused.asString().replaceAll("\"request_id\":\"[^\"]*\"", "");
    }

    @ParameterizedTest
    @ValueSource(strings = { "http://169.254.169.254", "https://169.254.169.254/", "https://[fd00:ec2::254]", "http://10.0.0.1",
            "https://0x7f.1", "https://2130706433", "https://[::1]", "https://user:secret@example.com", "ftp://example.com",
            "https://127.0.0.1:22", "not a url", "https://example.com/?x=1", "https://no-such-host.invalid" })
    void unsafeEndpointsAreInvalid(String endpoint) {
        Response refused = assertRefused(DestinationBody.valid().endpoint(endpoint), "Invalid endpoint", "address");

        assertThat((String) refused.path("detail")).startsWith("Invalid endpoint: endpoint_url ");
    }

    @Test
    void writePermissionIsSufficient() {
        // Given
        List.of("GetObject", "DeleteObject", "AbortMultipartUpload", "ListMultipartUploads")
                .forEach(call -> proxy.always(call, Fault.error(403, "AccessDenied")));
        proxy.always("HeadObject", new Fault.Respond(403, "application/xml", ""));

        // When
        Response created = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).json());

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat(DatabaseRows
                .text("SELECT concat_ws(' ', may_read, may_delete, may_abort, may_list_uploads) FROM export.destinations"
                        + " WHERE id = '" + created.path("id") + "'"))
                .containsExactly("f f f f");
        assertThat(bucket.keys("tmp/waybill-")).hasSize(1);
        assertThat(bucket.openUploads("tmp/waybill-")).isEmpty();
        bucket.delete(bucket.keys("tmp/waybill-").getFirst());
    }

    @Test
    void endpointWhosePathNamesTheBucketIsInvalid() {
        String bucketName = DestinationBody.setting("bucket");
        assertRefused(DestinationBody.valid().endpoint(proxy.endpoint() + "/" + bucketName), "Invalid endpoint", "address");
        assertRefused(DestinationBody.valid().endpoint(proxy.endpoint() + "/s3/" + bucketName + "/"), "Invalid endpoint",
                "address");
    }

    /** The store interprets the path as a bucket, and the bucket's name as a folder in it. */
    @Test
    void endpointWhosePathNamesAnotherBucketIsInvalid() {
        DestinationBody order = DestinationBody.valid().bucket("some-other-bucket");

        assertRefused(order.endpoint(proxy.endpoint() + "/" + DestinationBody.setting("bucket")), "Invalid endpoint",
                "address");

        assertThat(proxy.calls()).extracting(call -> call.method()).containsOnly("GET");
    }

    @Test
    void bucketBelowPathOfEndpointIsTried() {
        // Given: a store with buckets below this path
        proxy.always(call -> call.path().startsWith("/exports/waybill-"), Fault.error(404, "NoSuchBucket"));

        // When
        Response response = client.post(PATH, DestinationBody.valid().bucket("some-other-bucket")
                .endpoint(proxy.endpoint() + "/" + DestinationBody.setting("bucket")).json());

        // Then: no address error; the test's server has no such buckets
        assertThat((String) response.path("step")).isNotEqualTo("address");
        assertThat(proxy.calls()).anyMatch(call -> call.operation().equals("PutObject")
                && call.path().startsWith("/exports/some-other-bucket/tmp/waybill-"));
        bucket.keys("some-other-bucket/").forEach(bucket::delete);
    }

    /** Like Ceph 16; without the right to abort, validation completes the upload. */
    @Test
    void acceptsWriteOnlyStoreThatCompletesWithoutEntityTag() {
        // Given
        List.of("GetObject", "DeleteObject", "AbortMultipartUpload", "ListMultipartUploads")
                .forEach(call -> proxy.always(call, Fault.error(403, "AccessDenied")));
        proxy.always("HeadObject", new Fault.Respond(403, "application/xml", ""));
        proxy.always("CompleteMultipartUpload", new Fault.RespondAfter(200, "<CompleteMultipartUploadResult/>"));

        // When
        Response created = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).json());

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat(proxy.calls()).anyMatch(call -> call.operation().equals("CompleteMultipartUpload"));
        bucket.keys("tmp/waybill-").forEach(bucket::delete);
    }

    @Test
    void allGrantedPermissionsAreStored() {
        // When
        Response created = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).json());

        // Then
        assertThat(DatabaseRows
                .text("SELECT concat_ws(' ', may_read, may_delete, may_abort, may_list_uploads) FROM export.destinations"
                        + " WHERE id = '" + created.path("id") + "'"))
                .containsExactly("t t t t");
        assertThat(proxy.calls())
                .allSatisfy(call -> assertThat(call.path()).matches("/exports(/tmp/waybill-[0-9a-f-]+\\.txt)?"));
    }

    private Response assertRefused(DestinationBody order, String title, String step) {
        Response refused = client.post(PATH, order.json());

        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(400);
        assertThat(refused.contentType()).startsWith("application/problem+json");
        assertThat((String) refused.path("title")).isEqualTo(title);
        assertThat((String) refused.path("step")).isEqualTo(step);
        assertThat((String) refused.path("detail")).startsWith(title + ": ").endsWith(".").doesNotContain("proxy");
        assertThat((List<?>) client.get(PATH).path("$")).isEmpty();
        return refused;
    }
}
