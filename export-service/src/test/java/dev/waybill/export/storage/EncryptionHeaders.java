package dev.waybill.export.storage;

import java.io.ByteArrayInputStream;
import java.net.URI;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Removes encryption headers from a request and signs it again, because the test server rejects them. */
final class EncryptionHeaders {

    private EncryptionHeaders() {
    }

    static MultiMap removed(HttpServerRequest request, Buffer body, URI target, StorageCredentials keys) {
        SdkHttpRequest.Builder plain = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(request.method().name()))
                .uri(URI.create(target + request.uri()));
        request.headers().forEach(header -> {
            String name = header.getKey().toLowerCase(java.util.Locale.ROOT);
            if (!name.startsWith("x-amz-server-side") && !name.equals("authorization") && !name.equals("host")
                    && !name.equals("x-amz-content-sha256") && !name.equals("x-amz-date")) {
                plain.putHeader(header.getKey(), header.getValue());
            }
        });
        SignedRequest signed = AwsV4HttpSigner.create().sign(sign -> sign
                .identity(AwsCredentialsIdentity.create(keys.accessKeyId(), keys.secretAccessKey()))
                .request(plain.build())
                .payload(() -> new ByteArrayInputStream(body.getBytes()))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false));
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        signed.request().forEachHeader((name, values) -> values.forEach(value -> headers.add(name, value)));
        return headers;
    }
}
