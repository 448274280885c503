package dev.waybill.export.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStoreContract;

/** Runs the tests of every store. */
class FileObjectStoreTest extends ObjectStoreContract {

    @TempDir
    Path directory;

    @Override
    protected ObjectStore open() {
        return new FileObjectStore(directory);
    }

    @Override
    protected byte[] content(String objectKey) throws IOException {
        return Files.readAllBytes(directory.resolve("objects").resolve(objectKey));
    }
}
