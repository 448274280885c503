package dev.waybill.controlplane.source.git;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.storage.file.WindowCacheConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * Keeps git to what it is told here: it reads no configuration of the machine or its user (which could name programs to run,
 * proxies and other places), starts no program to find one, and holds large files on disk and not in memory.
 */
public final class IsolatedSystemReader extends SystemReader.Delegate {

    private static final int LARGE = 1 << 20;

    private IsolatedSystemReader(SystemReader machine) {
        super(machine);
    }

    /** For all of the process. Safe to repeat. */
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
        return new Nothing(parent, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(Config parent, FS fs) {
        return new Nothing(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(Config parent, FS fs) {
        return new Nothing(parent, fs);
    }

    /** A configuration that holds nothing and keeps nothing. */
    private static final class Nothing extends FileBasedConfig {

        Nothing(Config parent, FS fs) {
            super(parent, null, fs);
        }

        @Override
        public void load() {
            // There is nothing.
        }

        @Override
        public void save() {
            // Nobody would read it.
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
