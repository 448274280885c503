package dev.waybill.runtime.storage;

import dev.waybill.runtime.storage.ThreadsConfig.Technology;

/** Opens storages of one technology; each adapter has one. */
public interface StorageFactory {

    /** Returns the technology that selects this factory. */
    Technology technology();

    /** Opens the storage; fails if another runtime uses it. Blocks. */
    Storage open();
}
