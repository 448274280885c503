package dev.waybill.experiment.link;

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

/** Makes and reads the links to files of runs. */
@Singleton
public class AttachmentLinks {

    /** The path that tokens follow. */
    public static final String PATH = "/api/v1/public/attachments";

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int NAME_AT = 5 * Long.BYTES;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final SecretCipher box;
    private final Clock clock;
    private final ObjectMapper json;

    AttachmentLinks(SecretCipher box, Clock clock, ObjectMapper json) {
        this.box = box;
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

    /** Returns the file that a token names; empty when the token is not valid or has expired. */
    public Optional<AttachmentKey> read(String token) {
        int dot = token.indexOf('.');
        byte[] message = decode(token.substring(0, Math.max(dot, 0)));
        if (message.length < NAME_AT || !box.isSigned(message, decode(token.substring(dot + 1)))) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(message);
        AttachmentKey file = new AttachmentKey(new UUID(in.getLong(), in.getLong()), new UUID(in.getLong(), in.getLong()),
                new String(message, NAME_AT, message.length - NAME_AT, StandardCharsets.UTF_8));
        return in.getLong() > clock.instant().getEpochSecond() ? Optional.of(file) : Optional.empty();
    }

    private String token(AttachmentKey file) {
        byte[] name = file.name().getBytes(StandardCharsets.UTF_8);
        byte[] message = ByteBuffer.allocate(NAME_AT + name.length)
                .putLong(file.tenantId().getMostSignificantBits())
                .putLong(file.tenantId().getLeastSignificantBits())
                .putLong(file.runId().getMostSignificantBits())
                .putLong(file.runId().getLeastSignificantBits())
                .putLong(clock.instant().plus(LIFETIME).getEpochSecond())
                .put(name)
                .array();
        return ENCODER.encodeToString(message) + "." + ENCODER.encodeToString(box.sign(message));
    }

    private JsonNode parse(String files) {
        try {
            return json.readTree(files);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("PostgreSQL returned a list of files that is not JSON", e);
        }
    }

    private static byte[] decode(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
