package dev.waybill.export.verification;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.Receipt;
import dev.waybill.common.api.export.ReceiptKeyResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.id.Ids;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.secret.EncryptionConfig;
import dev.waybill.common.secret.SecretCipher;
import dev.waybill.common.time.Timestamps;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.run.ExportLayout;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Signs receipts with a key pair of the workspace, which is created when it is first used. */
@Singleton
class ReceiptService {

    /** Version of the payload's members. */
    private static final int VERSION = 1;

    private static final String FIND = """
            SELECT id, private_key FROM export.receipt_keys WHERE tenant_id = $1 AND encryption_key = $2
            """;
    // Another replica may have created the key pair since.
    private static final String INSERT = """
            INSERT INTO export.receipt_keys (tenant_id, id, encryption_key, public_key, private_key)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (tenant_id, encryption_key) DO NOTHING
            """;
    private static final String LIST = """
            SELECT id, public_key, created_at FROM export.receipt_keys WHERE tenant_id = $1 ORDER BY created_at DESC, id
            """;

    private final Database database;
    private final SecretCipher cipher;
    private final EncryptionConfig encryption;
    private final Blocking blocking;
    private final Ids ids;
    private final Clock clock;

    ReceiptService(Database database, SecretCipher cipher, EncryptionConfig encryption, Blocking blocking, Ids ids,
            Clock clock) {
        this.database = database;
        this.cipher = cipher;
        this.encryption = encryption;
        this.blocking = blocking;
        this.ids = ids;
        this.clock = clock;
    }

    /** Signs that the export is intact; empty if no encryption key is configured, because a key pair could not be stored. */
    Uni<Optional<Receipt>> sign(ExpectedExport export, Finding finding) {
        if (encryption.current().isEmpty()) {
            return Uni.createFrom().item(Optional.empty());
        }
        UUID tenantId = export.layout().tenantId();
        String payload = CanonicalJson.write(payload(export, finding));
        return findKey(tenantId)
                .chain(found -> found.map(key -> Uni.createFrom().item(key)).orElseGet(() -> createKey(tenantId)))
                .chain(key -> blocking.call(() -> sign(tenantId, key, payload)));
    }

    /** Returns all public keys of the workspace, the newest first. */
    Uni<List<ReceiptKeyResponse>> publicKeys(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId)))
                .map(rows -> Rows.list(rows, row -> new ReceiptKeyResponse(row.getUUID("id"), SigningKeys.ALGORITHM,
                        SigningKeys.pem(row.getBuffer("public_key").getBytes()),
                        row.getOffsetDateTime("created_at").toInstant())));
    }

    private SortedMap<String, @Nullable Object> payload(ExpectedExport export, Finding finding) {
        ExportLayout layout = export.layout();
        SortedMap<String, @Nullable Object> members = new TreeMap<>();
        members.put("version", VERSION);
        members.put("bulk_export_id", layout.exportId().toString());
        members.put("tenant_id", layout.tenantId().toString());
        members.put("session_id", layout.sessionId().toString());
        members.put("start_time", Timestamps.format(export.manifest().startTime()));
        members.put("end_time", Timestamps.format(export.manifest().endTime()));
        members.put("filter", export.manifest().filter());
        members.put("schema_sha256", export.manifest().schema().sha256());
        members.put("endpoint", finding.destination().endpointUrl());
        members.put("region", finding.destination().region());
        members.put("bucket", finding.destination().bucket());
        members.put("rows", export.rows());
        members.put("bytes", export.bytes());
        members.put("files", export.files().size());
        members.put("files_sha256", export.filesSha256());
        members.put("manifest", layout.manifest());
        members.put("manifest_sha256", finding.manifestSha256());
        members.put("objects_listed", finding.objectsListed());
        members.put("verification_id", finding.verificationId().toString());
        members.put("read_from", Timestamps.format(finding.readFrom()));
        members.put("verified_at", Timestamps.format(clock.instant()));
        return members;
    }

    private Optional<Receipt> sign(UUID tenantId, StoredKey key, String payload) {
        byte[] privateKey = cipher.decrypt(key.encrypted(), tenantId, key.id());
        return Optional.of(new Receipt(SigningKeys.ALGORITHM, key.id(), payload, SigningKeys.sign(privateKey, payload)));
    }

    private Uni<Optional<StoredKey>> findKey(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, cipher.currentKey())))
                .map(rows -> Rows.findFirst(rows, ReceiptService::storedKey));
    }

    private Uni<StoredKey> createKey(UUID tenantId) {
        UUID id = ids.newId();
        return blocking.call(SigningKeys::generate)
                .chain(pair -> database.inWorkspace(tenantId, connection -> connection.preparedQuery(INSERT)
                        .execute(Tuple.of(tenantId, id, cipher.currentKey(),
                                Buffer.buffer(pair.publicKey()),
                                Buffer.buffer(cipher.encrypt(pair.privateKey(), tenantId, id))))))
                .chain(() -> findKey(tenantId))
                .map(Optional::orElseThrow);
    }

    private static StoredKey storedKey(Row row) {
        return new StoredKey(row.getUUID("id"), row.getBuffer("private_key").getBytes());
    }

    /**
     * Findings of a verification in the bucket of an intact export.
     *
     * @param readFrom when its first attempt began to read
     * @param objectsListed whether the bucket was searched for unexpected objects
     */
    record Finding(UUID verificationId, Instant readFrom, OpenDestination destination, String manifestSha256,
            boolean objectsListed) {
    }

    /**
     * A key pair as stored.
     *
     * @param encrypted the encrypted private key
     */
    private record StoredKey(UUID id, byte[] encrypted) {
    }
}
