package dev.waybill.export.destination;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.DestinationCredentials;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.secret.SecretUnavailableException;
import dev.waybill.export.destination.CredentialEncryptor.EncryptedCredentials;
import dev.waybill.export.destination.ProbeFailure.ProbeStep;
import dev.waybill.export.storage.StorageException;
import io.smallrye.mutiny.Uni;

/** Validates credentials against a bucket and encrypts them. */
@Singleton
class CredentialValidator {

    private final DestinationProbe probe;
    private final CredentialEncryptor encryptor;
    private final ValidationRateLimit rateLimit;
    private final DestinationConfig config;

    CredentialValidator(DestinationProbe probe, CredentialEncryptor encryptor, ValidationRateLimit rateLimit,
            DestinationConfig config) {
        this.probe = probe;
        this.encryptor = encryptor;
        this.rateLimit = rateLimit;
        this.config = config;
    }

    /**
     * Validates the credentials against the bucket and encrypts them for the destination {@code id}. Fails with 422 if members
     * of the request contradict each other, with 400 if the bucket rejects the credentials, and with 429 above the rate limit.
     */
    Uni<ValidatedCredentials> validate(UUID tenantId, UUID id, Bucket bucket, @Nullable DestinationCredentials credentials) {
        List<Violation> violations = violations(bucket, credentials);
        if (!violations.isEmpty()) {
            return Uni.createFrom().failure(ProblemException.invalid(violations));
        }
        return rateLimit.acquire(tenantId)
                .chain(() -> probe.run(bucket, CredentialEncryptor.toStorageCredentials(credentials)))
                .map(result -> new ValidatedCredentials(encryptor.encrypt(credentials, tenantId, id), result));
    }

    /**
     * Validates the stored credentials and encrypts them with the current key. Fails like {@link #validate}, and with 409 if
     * the stored credentials cannot be decrypted.
     */
    Uni<ValidatedCredentials> revalidate(Destination destination) {
        return rateLimit.acquire(destination.tenantId())
                .map(acquired -> Optional.ofNullable(encryptor.decrypt(destination)))
                .chain(credentials -> probe.run(destination.bucket(), credentials.orElse(null)))
                .map(result -> new ValidatedCredentials(encryptor.reencrypt(destination), result))
                .onFailure(StorageException.class)
                .transform(e -> ProbeFailure.of(((StorageException) e).problem(), ProbeStep.SIGNATURE).toProblem())
                .onFailure(SecretUnavailableException.class)
                .transform(e -> ProblemException.conflict(DestinationOpener.CREDENTIALS_UNAVAILABLE));
    }

    private List<Violation> violations(Bucket bucket, @Nullable DestinationCredentials credentials) {
        List<Violation> violations = new ArrayList<>();
        if (bucket.region() == null && bucket.endpointUrl() == null) {
            violations.add(new Violation(List.of("config", "region"),
                    "is required for AWS; for another store set endpoint_url", "missing"));
        }
        if (bucket.settings().kmsKeyId() != null && "AES256".equals(bucket.settings().encryption())) {
            violations.add(new Violation(List.of("config", "server_side_encryption", "kms_key_id"),
                    "must be omitted with AES256; only aws:kms and aws:kms:dsse use a key", "forbidden"));
        }
        if (credentials == null && bucket.endpointUrl() != null) {
            violations.add(Violation.of("credentials",
                    "are required with endpoint_url; the service's own credentials are used for AWS only", "missing"));
        } else if (credentials == null && !config.environmentCredentials()) {
            violations.add(Violation.of("credentials",
                    "are required; this installation does not provide its own credentials to destinations", "missing"));
        }
        return violations;
    }

    /** Encrypted credentials with the result of their validation. */
    record ValidatedCredentials(EncryptedCredentials encrypted, ProbeResult result) {
    }
}
