package dev.waybill.experiment.run;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.trace.RunResponse.FileLink;
import dev.waybill.common.secret.SecretCipher;

/** Creates and verifies signed links to attachments of runs. */
@Singleton
public class AttachmentLinks {

    /** The path below which a link's token follows. */
    public static final String PATH = "/api/v1/public/attachments";

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int NAME_OFFSET = 5 * Long.BYTES;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final SecretCipher cipher;
    private final Clock clock;
    private final ObjectMapper json;

    AttachmentLinks(SecretCipher cipher, Clock clock, ObjectMapper json) {
        this.cipher = cipher;
        this.clock = clock;
        this.json = json;
    }

    /**
     * Returns the links to the files of a run.
     *
     * @param files a JSON list of objects with {@code name} and {@code content_type}; null when the run has none
     */
    public @Nullable Map<String, FileLink> of(UUID tenantId, UUID runId, @Nullable String files) {
        if (files == null) {
            return null;
        }
        Map<String, FileLink> links = new LinkedHashMap<>();
        for (JsonNode file : parse(files)) {
            String name = file.get("name").textValue();
            links.put("attachment." + name, new FileLink(PATH + "/" + token(new AttachmentKey(tenantId, runId, name)),
                    file.get("content_type").textValue()));
        }
        return links;
    }

    /** Returns the attachment that a token names; empty if the token is invalid or has expired. */
    public Optional<AttachmentKey> read(String token) {
        int dot = token.indexOf('.');
        byte[] message = decode(token.substring(0, Math.max(dot, 0)));
        if (message.length < NAME_OFFSET || !cipher.isSigned(message, decode(token.substring(dot + 1)))) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(message);
        AttachmentKey file = new AttachmentKey(new UUID(in.getLong(), in.getLong()), new UUID(in.getLong(), in.getLong()),
                new String(message, NAME_OFFSET, message.length - NAME_OFFSET, StandardCharsets.UTF_8));
        return in.getLong() > clock.instant().getEpochSecond() ? Optional.of(file) : Optional.empty();
    }

    private String token(AttachmentKey file) {
        byte[] name = file.name().getBytes(StandardCharsets.UTF_8);
        byte[] message = ByteBuffer.allocate(NAME_OFFSET + name.length)
                .putLong(file.tenantId().getMostSignificantBits())
                .putLong(file.tenantId().getLeastSignificantBits())
                .putLong(file.runId().getMostSignificantBits())
                .putLong(file.runId().getLeastSignificantBits())
                .putLong(clock.instant().plus(LIFETIME).getEpochSecond())
                .put(name)
                .array();
        return ENCODER.encodeToString(message) + "." + ENCODER.encodeToString(cipher.sign(message));
    }

    private JsonNode parse(String files) {
        try {
            return json.readTree(files);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the list of attachments that PostgreSQL returned is not JSON", e);
        }
    }

    private static byte[] decode(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** The attachment that a link points to. */
    public record AttachmentKey(UUID tenantId, UUID runId, String name) {
    }
}
