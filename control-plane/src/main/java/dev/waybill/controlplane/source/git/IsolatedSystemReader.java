package dev.waybill.controlplane.source.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.storage.file.WindowCacheConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * Isolates JGit from the machine's and the user's configuration, which can name programs to run and proxies. JGit also
 * starts no program to find that configuration, and reads large files from disk instead of memory.
 */
public final class IsolatedSystemReader extends SystemReader.Delegate {

    private static final int LARGE = 1 << 20;

    private IsolatedSystemReader(SystemReader machine) {
        super(machine);
    }

    /** Installs the reader for the whole process; idempotent. */
    public static synchronized void install() {
        if (SystemReader.getInstance() instanceof IsolatedSystemReader) {
            return;
        }
        SystemReader.setInstance(new IsolatedSystemReader(SystemReader.getInstance()));
        FS.FileStoreAttributes.setBackground(false);
        WindowCacheConfig cache = new WindowCacheConfig();
        cache.setStreamFileThreshold(LARGE);
        cache.install();
    }

    @Override
    public @Nullable String getenv(String name) {
        return name.startsWith("GIT_") || name.startsWith("SSH_") || name.startsWith("XDG_") ? null : super.getenv(name);
    }

    @Override
    public FileBasedConfig openUserConfig(Config parent, FS fs) {
        return new EmptyConfig(parent, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(Config parent, FS fs) {
        return new EmptyConfig(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(Config parent, FS fs) {
        return new EmptyConfig(parent, fs);
    }

    /** An empty configuration that is never loaded or saved. */
    private static final class EmptyConfig extends FileBasedConfig {

        EmptyConfig(Config parent, FS fs) {
            super(parent, null, fs);
        }

        @Override
        public void load() {
            // Always empty.
        }

        @Override
        public void save() {
            // Changes are discarded.
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
