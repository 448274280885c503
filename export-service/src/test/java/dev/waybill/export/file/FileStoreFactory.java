package dev.waybill.export.file;

import java.nio.file.Path;

import jakarta.inject.Singleton;

import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.StoreFactory;

/** Opens directories as buckets. */
@Singleton
public class FileStoreFactory implements StoreFactory {

    /** The {@code destination_type}. */
    public static final String TYPE = "file";
    private static final Path ROOT = Path.of("target", "file-store").toAbsolutePath();

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public ObjectStore open(BucketAccess access) {
        return new FileObjectStore(directory(access.bucket()));
    }

    @Override
    public ObjectStore openForProbe(BucketAccess access) {
        return open(access);
    }

    /** Returns the directory of a bucket. */
    public static Path directory(String bucket) {
        return ROOT.resolve(bucket);
    }
}
