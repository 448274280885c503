package dev.waybill.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.eclipse.microprofile.config.ConfigProvider;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The test bucket, accessed directly as its owner. */
public final class Bucket implements AutoCloseable {

    private final String name = setting("bucket");
    private final S3AsyncClient client = S3AsyncClient.builder()
            .endpointOverride(URI.create(setting("endpoint")))
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .credentialsProvider(StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(setting("access-key-id"), setting("secret-access-key"))))
            .build();

    private final List<Path> folders = new ArrayList<>();

    /** Returns the request body of a destination in this bucket. */
    public static String destination(String prefix, boolean includeBucket) {
        return destination(setting("bucket"), setting("endpoint"), prefix, includeBucket);
    }

    /** Returns the request body of a destination in a bucket, possibly behind a proxy. */
    public static String destination(String bucket, String endpoint, String prefix, boolean includeBucket) {
        return """
                {"destination_type": "s3", "display_name": "Test", "config": {"bucket_name": "%s", "prefix": "%s",
                 "endpoint_url": "%s", "include_bucket_in_prefix": %s},
                 "credentials": {"access_key_id": "%s", "secret_access_key": "%s"}}
                """.formatted(bucket, prefix, endpoint, includeBucket, setting("access-key-id"),
                setting("secret-access-key"));
    }

    /** Returns the members of a destination's request body by name. */
    public static Map<String, String> members(String prefix) {
        return Map.of("bucket_name", setting("bucket"), "endpoint_url", setting("endpoint"), "prefix", prefix,
                "access_key_id", setting("access-key-id"), "secret_access_key", setting("secret-access-key"));
    }

    /** Returns the keys of visible objects, in order. */
    public List<String> keys(String prefix) {
        return client.listObjectsV2(request -> request.bucket(name).prefix(prefix)).join().contents().stream()
                .map(S3Object::key)
                .sorted()
                .toList();
    }

    /** Returns the keys of incomplete uploads. */
    public List<String> openUploads(String prefix) {
        return client.listMultipartUploads(request -> request.bucket(name).prefix(prefix)).join().uploads().stream()
                .map(MultipartUpload::key)
                .filter(key -> key.startsWith(prefix))
                .toList();
    }

    /** Starts an upload and leaves it incomplete, like a killed worker. */
    public String leaveUpload(String key) {
        String uploadId = client.createMultipartUpload(request -> request.bucket(name).key(key)).join().uploadId();
        client.uploadPart(request -> request.bucket(name).key(key).uploadId(uploadId).partNumber(1),
                AsyncRequestBody.fromString("left behind")).join();
        return uploadId;
    }

    /** Aborts an upload without the service. */
    public void abort(String key, String uploadId) {
        client.abortMultipartUpload(request -> request.bucket(name).key(key).uploadId(uploadId)).join();
    }

    /** Returns the object's content. */
    public byte[] get(String key) {
        return client.getObject(request -> request.bucket(name).key(key), AsyncResponseTransformer.toBytes()).join()
                .asByteArray();
    }

    /** Writes an object. */
    public void put(String key, byte[] content) {
        client.putObject(request -> request.bucket(name).key(key), AsyncRequestBody.fromBytes(content)).join();
    }

    /** Deletes an object. */
    public void delete(String key) {
        client.deleteObject(request -> request.bucket(name).key(key)).join();
    }

    /** Downloads all objects below the prefix into folders. */
    public Path download(String prefix) {
        try {
            Path directory = folder();
            for (String key : keys(prefix)) {
                Path file = directory.resolve(key);
                Files.createDirectories(file.getParent());
                Files.write(file, get(key));
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a folder that is deleted when this is closed. */
    public Path folder() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bucket-");
        folders.add(folder);
        return folder;
    }

    @Override
    public void close() {
        client.close();
        folders.forEach(Bucket::delete);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the store's endpoint. */
    public static URI endpoint() {
        return URI.create(setting("endpoint"));
    }

    /** Returns the bucket's name. */
    public static String name() {
        return setting("bucket");
    }

    /** Returns the secrets that must not appear in any output. */
    public static List<String> secrets() {
        return List.of(setting("access-key-id"), setting("secret-access-key"));
    }

    private static String setting(String key) {
        return ConfigProvider.getConfig().getValue("waybill.test.s3." + key, String.class);
    }
}
