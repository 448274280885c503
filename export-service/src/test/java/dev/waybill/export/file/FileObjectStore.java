package dev.waybill.export.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.MultipartClient;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import dev.waybill.export.storage.UploadedPart;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;

/** An {@link ObjectStore} in a directory: objects are files, uploads are directories of parts. */
final class FileObjectStore implements ObjectStore {

    private static final String KEY = "key";
    private static final int PAGE = 2;

    private final Path objects;
    private final Path uploads;

    FileObjectStore(Path directory) {
        this.objects = directory.resolve("objects");
        this.uploads = directory.resolve("uploads");
        try {
            Files.createDirectories(objects);
            Files.createDirectories(uploads);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Uni<Void> put(String key, byte[] content, String contentType) {
        return call(() -> {
            Path written = Files.write(uploads.resolve(UUID.randomUUID().toString()), content);
            Files.move(written, file(key), StandardCopyOption.ATOMIC_MOVE);
            return null;
        });
    }

    @Override
    public Uni<Void> putNew(String key, byte[] content, String contentType) {
        return call(() -> {
            Files.write(file(key), content, StandardOpenOption.CREATE_NEW);
            return null;
        });
    }

    @Override
    public Uni<Optional<StoredObject>> head(String key) {
        return call(() -> Files.exists(file(key)) ? Optional.of(new StoredObject(Files.size(file(key)), ""))
                : Optional.empty());
    }

    @Override
    public Uni<byte[]> get(String key, int maxBytes) {
        return call(() -> {
            if (Files.size(file(key)) > maxBytes) {
                throw new StorageException(StorageProblem.CONTENT_MISMATCH, "more than " + maxBytes + " bytes");
            }
            return Files.readAllBytes(file(key));
        });
    }

    @Override
    public Uni<ObjectRange> getRange(String key, long offset, int length) {
        return call(() -> {
            byte[] content = Files.readAllBytes(file(key));
            return offset >= content.length ? new ObjectRange(new byte[0], 0)
                    : new ObjectRange(Arrays.copyOfRange(content, (int) offset,
                            (int) Math.min(content.length, offset + length)), content.length);
        });
    }

    /** Returns two objects a page, so that tests read several pages. */
    @Override
    public Uni<ObjectPage> list(String keyPrefix, @Nullable String token) {
        return call(() -> {
            try (Stream<Path> files = Files.walk(objects)) {
                List<ListedObject> page = files.filter(Files::isRegularFile)
                        .map(file -> new ListedObject(objects.relativize(file).toString(), file.toFile().length()))
                        .filter(object -> object.key().startsWith(keyPrefix))
                        .filter(object -> token == null || object.key().compareTo(token) > 0)
                        .sorted(Comparator.comparing(ListedObject::key))
                        .limit(PAGE)
                        .toList();
                return new ObjectPage(page, page.size() < PAGE ? null : page.getLast().key());
            }
        });
    }

    @Override
    public Uni<Void> delete(String key) {
        return call(() -> {
            Files.deleteIfExists(file(key));
            return null;
        });
    }

    @Override
    public MultipartOutputStream upload(String key) {
        return new MultipartOutputStream(new Parts(), key);
    }

    @Override
    public Uni<CompletedUpload> complete(PreparedUpload upload) {
        return call(() -> {
            Path parts = uploads.resolve(upload.uploadId());
            if (Files.exists(parts)) {
                publish(upload, parts);
            } else if (!Files.exists(file(upload.key())) || !sha256(file(upload.key())).equals(upload.sha256())) {
                throw new StorageException(StorageProblem.UPLOAD_GONE, upload.key());
            }
            return new CompletedUpload(upload.key(), "", true);
        });
    }

    // Moving the file is atomic; a process that is killed before it repeats the copy.
    private void publish(PreparedUpload upload, Path parts) throws IOException {
        Path joined = parts.resolve("joined");
        try (OutputStream out = Files.newOutputStream(joined)) {
            for (int number = 1; number <= new JsonObject(upload.token()).getInteger("parts"); number++) {
                Files.copy(parts.resolve(String.valueOf(number)), out);
            }
        }
        if (Files.size(joined) != upload.size()) {
            throw new StorageException(StorageProblem.CONTENT_MISMATCH, Files.size(joined) + " bytes");
        }
        Files.move(joined, file(upload.key()), StandardCopyOption.ATOMIC_MOVE);
        remove(upload.uploadId());
    }

    @Override
    public Uni<Void> abort(String key, String uploadId) {
        return call(() -> {
            remove(uploadId);
            return null;
        });
    }

    @Override
    public Uni<List<IncompleteUpload>> listUploads(String keyPrefix) {
        return call(() -> {
            try (Stream<Path> directories = Files.list(uploads)) {
                return directories.filter(Files::isDirectory)
                        .map(FileObjectStore::incomplete)
                        .filter(upload -> upload.key().startsWith(keyPrefix))
                        .toList();
            }
        });
    }

    private static IncompleteUpload incomplete(Path directory) {
        try {
            return new IncompleteUpload(Files.readString(directory.resolve(KEY)), directory.getFileName().toString(),
                    Files.getLastModifiedTime(directory).toInstant());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    private Path file(String key) throws IOException {
        Path file = objects.resolve(key);
        Files.createDirectories(file.getParent());
        return file;
    }

    private void remove(String uploadId) throws IOException {
        Path directory = uploads.resolve(uploadId);
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> Uni<T> call(Callable<T> work) {
        return Uni.createFrom().completionStage(() -> future(work));
    }

    private static <T> CompletableFuture<T> future(Callable<T> work) {
        try {
            return CompletableFuture.completedFuture(work.call());
        } catch (FileAlreadyExistsException e) {
            return CompletableFuture.failedFuture(new StorageException(StorageProblem.ALREADY_THERE, e.toString()));
        } catch (NoSuchFileException e) {
            return CompletableFuture.failedFuture(new StorageException(StorageProblem.NO_SUCH_OBJECT, e.toString()));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(new StorageException(StorageProblem.UNREACHABLE, e.toString()));
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The calls of an upload. */
    private final class Parts implements MultipartClient {

        @Override
        public CompletableFuture<String> create(String key) {
            return future(() -> {
                String id = UUID.randomUUID().toString();
                Files.createDirectory(uploads.resolve(id));
                Files.writeString(uploads.resolve(id).resolve(KEY), key, UTF_8);
                return id;
            });
        }

        @Override
        public CompletableFuture<UploadedPart> uploadPart(String key, String uploadId, int number, ByteBuffer content) {
            return future(() -> {
                int size = content.remaining();
                try (FileChannel file = FileChannel.open(uploads.resolve(uploadId).resolve(String.valueOf(number)),
                        StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    file.write(content);
                }
                return new UploadedPart(number, "", size, null);
            });
        }

        @Override
        public String token(List<UploadedPart> parts) {
            return new JsonObject().put("version", 1).put("parts", parts.size()).encode();
        }

        @Override
        public CompletableFuture<Void> abort(String key, String uploadId) {
            return future(() -> {
                remove(uploadId);
                return null;
            });
        }
    }
}
