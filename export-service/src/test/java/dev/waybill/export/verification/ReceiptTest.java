package dev.waybill.export.verification;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Receipts, verified as docs/verify-an-export.md describes it for third parties: without Waybill's code and without a key. */
@ExportServiceTest
class ReceiptTest {

    private Bucket bucket;
    private Exports exports;
    private Verifications verifications;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
        verifications = new Verifications(exports);
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void thirdPartyVerifiesTheReceipt() throws Exception {
        // Given
        UUID id = export();

        // When
        JsonPath receipt = verifications.perform(id).jsonPath().setRootPath("receipt");

        // Then
        String payload = receipt.getString("payload");
        byte[] key = publicKey(receipt.getString("key_id"));
        assertThat(receipt.getString("algorithm")).isEqualTo("Ed25519");
        assertThat(isSigned(key, payload, receipt.getString("signature"))).isTrue();
        assertThat(isSigned(key, payload.replace("\"rows\":150", "\"rows\":151"), receipt.getString("signature"))).isFalse();
        Exports other = Exports.create();
        Response otherReceipt = new Verifications(other)
                .perform(other.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), ""));
        assertThat(isSigned(key, otherReceipt.path("receipt.payload"), otherReceipt.path("receipt.signature"))).isFalse();
    }

    @Test
    void receiptStatesRangeRowsAndRootHashOfTheFiles() throws Exception {
        // Given
        UUID id = export();

        // When
        Response verified = verifications.perform(id);

        // Then
        String payload = verified.path("receipt.payload");
        byte[] manifest = bucket.get(exports.folder(id) + "_manifest.json");
        JsonPath export = exports.client().export(id).jsonPath();
        JsonPath destination = exports.client().get(Client.EXPORTS + "/destinations/" + exports.destinationId()).jsonPath();
        Map<String, Object> members = JsonPath.from(payload).getMap("");
        assertThat(members).containsEntry("version", 1).containsEntry("bulk_export_id", id.toString())
                .containsEntry("tenant_id", exports.tenantId().toString())
                .containsEntry("session_id", exports.sessionId().toString())
                .containsEntry("start_time", export.getString("start_time"))
                .containsEntry("end_time", export.getString("end_time"))
                .containsEntry("filter", "eq(name, \"step\")").containsEntry("rows", 150).containsEntry("files", 2)
                .containsEntry("bytes", export.getInt("progress.bytes_exported"))
                .containsEntry("bucket", Bucket.name())
                .containsEntry("manifest", exports.folder(id) + "_manifest.json")
                .containsEntry("manifest_sha256", sha256(manifest))
                .containsEntry("files_sha256", sha256(sha256sum(manifest).getBytes(StandardCharsets.UTF_8)))
                .containsEntry("objects_listed", true).hasSize(21)
                .containsEntry("verification_id", verified.path("id"))
                .containsEntry("endpoint", Bucket.endpoint().toString())
                .containsEntry("region", destination.getString("config.region"))
                .containsEntry("schema_sha256", JsonPath.from(new String(manifest, StandardCharsets.UTF_8))
                        .getString("schema_sha256"));
        assertThat(instant(members, "read_from")).isAfterOrEqualTo(Instant.parse(verified.path("created_at")))
                .isBeforeOrEqualTo(instant(members, "verified_at"));
        assertThat(payload).startsWith("{\"bucket\":\"").doesNotContain(" :", ": ", "\n");
        assertThat(List.copyOf(members.keySet())).isSorted();
    }

    @Test
    void workspaceKeepsItsKeyAndPublishesIt() {
        UUID id = export();
        String first = verifications.perform(id).path("receipt.key_id");
        String second = verifications.perform(id).path("receipt.key_id");

        assertThat(second).isEqualTo(first);
        assertThat(keys(exports.tenantId()).getList("id")).containsExactly(first);
        assertThat(keys(exports.tenantId()).getMap("[0]")).containsOnlyKeys("id", "algorithm", "public_key", "created_at");
        assertThat(keys(UUID.randomUUID()).getList("")).isEmpty();
        assertThat(RestAssured.get(path("x")).statusCode()).isEqualTo(404);
    }

    @Test
    void newEncryptionKeyBeginsANewKeyPair() throws GeneralSecurityException {
        // Given: a key pair whose private key was encrypted with another key
        UUID id = export();
        Response old = verifications.perform(id);
        Traces.execute("UPDATE export.receipt_keys SET encryption_key = 'old' WHERE tenant_id = ?", exports.tenantId());

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat((String) verified.path("receipt.key_id")).isNotEqualTo(old.path("receipt.key_id"));
        assertThat(keys(exports.tenantId()).getList("id")).hasSize(2).contains(old.<String> path("receipt.key_id"));
        for (Response each : List.of(old, verified)) {
            assertThat(isSigned(publicKey(each.path("receipt.key_id")), each.path("receipt.payload"),
                    each.path("receipt.signature"))).isTrue();
        }
    }

    @Test
    void privateKeyIsStoredEncrypted() {
        verifications.perform(export());

        byte[] stored = (byte[]) Traces.query("SELECT private_key FROM export.receipt_keys WHERE tenant_id = ?",
                exports.tenantId());

        // The fixed beginning of an Ed25519 key in PKCS #8.
        assertThat(HexFormat.of().formatHex(stored)).doesNotContain("06032b6570");
        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).startsWith("\u0001\u0004test");
    }

    private UUID export() {
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(10), 150);
        return exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(3)), ", \"filter\": \"eq(name, \\\"step\\\")\"");
    }

    /** Returns what {@code sha256sum} prints for the files in the manifest, computed from the bucket. */
    private String sha256sum(byte[] manifest) {
        return JsonPath.from(new String(manifest, StandardCharsets.UTF_8)).<String> getList("files.path").stream()
                .map(path -> sha256(bucket.get(path)) + "  " + path + "\n")
                .collect(Collectors.joining());
    }

    private byte[] publicKey(String id) {
        String pem = keys(exports.tenantId()).param("id", id).getString("find { it.id == id }.public_key");
        assertThat(pem).startsWith("-----BEGIN PUBLIC KEY-----\n").endsWith("\n-----END PUBLIC KEY-----\n");
        return Base64.getDecoder().decode(pem.replaceAll("-----[A-Z ]+-----|\n", ""));
    }

    private static boolean isSigned(byte[] publicKey, String payload, String signature) throws GeneralSecurityException {
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(publicKey)));
        verifier.update(payload.getBytes(StandardCharsets.UTF_8));
        return verifier.verify(Base64.getDecoder().decode(signature));
    }

    private static Instant instant(Map<String, Object> members, String name) {
        return Instant.parse((String) members.get(name));
    }

    private static JsonPath keys(UUID tenantId) {
        return RestAssured.get(path(tenantId.toString())).then().statusCode(200).extract().jsonPath();
    }

    private static String path(String tenantId) {
        return Client.EXPORTS + "/receipt-keys/" + tenantId;
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
