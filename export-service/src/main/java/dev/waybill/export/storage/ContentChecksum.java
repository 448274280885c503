package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;

/**
 * The checksum that accompanies content. Every request has one, because buckets with object lock reject requests without
 * (docs/decisions/0017).
 */
enum ContentChecksum {

    /** For AWS: CRC-32, which the SDK computes and sends as AWS recommends. */
    CRC32,

    /** For every other store: {@code Content-MD5}, a header that all of them support. */
    CONTENT_MD5;

    static ContentChecksum of(BucketAccess access) {
        return access.endpoint() == null ? CRC32 : CONTENT_MD5;
    }

    /** Returns the checksum that the SDK adds, or null for none. */
    @Nullable
    ChecksumAlgorithm algorithm() {
        return this == CRC32 ? ChecksumAlgorithm.CRC32 : null;
    }

    /** Returns the value of the {@code Content-MD5} header, or null for none. */
    @Nullable
    String contentMd5(ByteBuffer content) {
        if (this != CONTENT_MD5) {
            return null;
        }
        MessageDigest md5 = Digests.newMd5();
        md5.update(content.duplicate());
        return Base64.getEncoder().encodeToString(md5.digest());
    }
}
