package dev.waybill.export.destination;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import dev.waybill.export.storage.FaultProxy.S3Call;
import dev.waybill.export.storage.StorageCredentials;
import io.restassured.response.Response;

/** Tests access control lists and encryption of destinations in requests to the store. */
@ExportServiceTest
class ObjectSettingsTest {

    private static final String KEY = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd";
    private static final String SETTINGS = """
            "acl": "private", "server_side_encryption": {"type": "aws:kms", "kms_key_id": "%s"}""".formatted(KEY);

    private final Client client = Client.as(Accounts.account().create());
    private FaultProxy proxy;

    @BeforeEach
    void open() {
        proxy = FaultProxy.before(Bucket.endpoint());
        proxy.always(call -> call.headers().containsKey("x-amz-server-side-encryption"), new Fault.Encrypt(keys()));
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void everyObjectHasAclAndEncryption() {
        // Given
        String prefix = "t" + UUID.randomUUID();
        Exports exports = Exports.create(Accounts.account().create(), prefix, body(prefix, SETTINGS));
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 3);

        // When
        exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        List<S3Call> writing = proxy.calls().stream()
                .filter(call -> List.of("PutObject", "CreateMultipartUpload").contains(call.operation()))
                .toList();
        assertThat(writing).extracting(call -> call.path().replaceAll(".*(\\.[a-z]+)$", "$1"))
                .contains(".txt", ".parquet", ".json");
        assertThat(writing).allSatisfy(call -> assertThat(call.headers())
                .containsEntry("x-amz-acl", "private")
                .containsEntry("x-amz-server-side-encryption", "aws:kms")
                .containsEntry("x-amz-server-side-encryption-aws-kms-key-id", KEY));
    }

    @Test
    void defaultSettingsSendNoHeaders() {
        // When
        Response created = client.post(Client.EXPORTS + "/destinations", body("t" + UUID.randomUUID(), "\"acl\": null"));

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat(proxy.headers()).noneMatch(header -> header.contains("acl") || header.contains("encryption"));
        assertThat((Object) created.path("config.acl")).isNull();
        assertThat((Object) created.path("config.server_side_encryption")).isNull();
    }

    @Test
    void settingsAreStoredAndReturned() {
        // When
        Response created = client.post(Client.EXPORTS + "/destinations", body("t" + UUID.randomUUID(), SETTINGS));

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat((String) created.path("config.acl")).isEqualTo("private");
        assertThat((String) created.path("config.server_side_encryption.type")).isEqualTo("aws:kms");
        assertThat((String) created.path("config.server_side_encryption.kms_key_id")).isEqualTo(KEY);
        assertThat(client.get(Client.EXPORTS + "/destinations/" + created.path("id")).asString()).isEqualTo(created.asString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "acl": "everybody"                                                               | acl
            "acl": "log-delivery-write"                                                      | acl
            "acl": 7                                                                         | acl
            "server_side_encryption": "AES256"                                               | server_side_encryption
            "server_side_encryption": {}                                                     | type
            "server_side_encryption": {"type": "aes256"}                                     | type
            "server_side_encryption": {"type": "aws:kms", "kms_key_id": ""}                  | kms_key_id
            "server_side_encryption": {"type": "aws:kms", "kms_key_id": "a b"}               | kms_key_id
            "server_side_encryption": {"type": "AES256", "kms_key_id": "alias/mine"}         | kms_key_id
            """)
    void returns422ForInvalidSettings(String settings, String member) {
        // When
        Response refused = client.post(Client.EXPORTS + "/destinations", body("p", settings));

        // Then
        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(422);
        assertThat(refused.<List<List<String>>> path("errors.loc")).singleElement()
                .satisfies(loc -> assertThat(loc).startsWith("config").endsWith(member));
        assertThat(proxy.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            400 | KMS.NotFoundException         | Bucket is not valid | kms_key_id
            400 | KMS.DisabledException         | Bucket is not valid | kms_key_id
            400 | AccessControlListNotSupported | Bucket is not valid | omit acl
            403 | AccessDenied                  | Access denied       | s3:PutObjectAcl
            501 | NotImplemented                | Invalid endpoint    | may reject acl or server_side_encryption
            """)
    void errorNamesTheRejectedSetting(int status, String code, String title, String advice) {
        // Given
        proxy.clear();
        proxy.always("PutObject", Fault.error(status, code));

        // When
        Response refused = client.post(Client.EXPORTS + "/destinations", body("p", SETTINGS));

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat((String) refused.path("title")).isEqualTo(title);
        assertThat((String) refused.path("detail")).contains(advice).doesNotContain(KEY, "proxy");
    }

    private static StorageCredentials keys() {
        return new StorageCredentials(DestinationBody.setting("access-key-id"), DestinationBody.setting("secret-access-key"),
                null);
    }

    private String body(String prefix, String settings) {
        return Bucket.destination(Bucket.name(), proxy.endpoint().toString(), prefix, false)
                .replace("\"include_bucket_in_prefix\"", settings + ", \"include_bucket_in_prefix\"");
    }
}
