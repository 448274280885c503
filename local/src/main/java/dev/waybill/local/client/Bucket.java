package dev.waybill.local.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A client of the bucket that contains exported files, independent of the services' code. */
public final class Bucket implements AutoCloseable {

    private final S3Client client;
    private final String name;

    public Bucket(URI endpoint, String accessKeyId, String secretAccessKey, String name) {
        this.name = name;
        this.client = S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKeyId, secretAccessKey)))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** Returns the sorted keys with a prefix. */
    public List<String> keys(String prefix) {
        return client.listObjectsV2Paginator(request -> request.bucket(name).prefix(prefix))
                .contents()
                .stream()
                .map(S3Object::key)
                .sorted()
                .toList();
    }

    public byte[] read(String key) {
        return client.getObjectAsBytes(request -> request.bucket(name).key(key)).asByteArray();
    }

    public void write(String key, String content) {
        client.putObject(request -> request.bucket(name).key(key), RequestBody.fromString(content));
    }

    /** Downloads an object to the path of its key below a folder. Folder names are part of the data. */
    public Path download(String key, Path folder) {
        Path file = folder.resolve(key);
        try {
            Files.createDirectories(file.resolveSibling("."));
            client.getObject(request -> request.bucket(name).key(key), file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of incomplete multipart uploads of keys with a prefix. */
    public int countIncompleteUploads(String prefix) {
        return (int) client.listMultipartUploads(request -> request.bucket(name).prefix(prefix)).uploads().stream()
                .filter(upload -> upload.key().startsWith(prefix))
                .count();
    }

    public void delete(String key) {
        client.deleteObject(request -> request.bucket(name).key(key));
    }

    @Override
    public void close() {
        client.close();
    }
}
