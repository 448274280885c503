package dev.waybill.runtime.storage;

/** The parts of one storage. They share their transactions' order and are closed together. */
public interface Storage extends AutoCloseable {

    /** Returns the storage of threads. */
    ThreadStorage threads();

    /** Returns the storage of runs on threads. */
    RunStorage runs();

    /** Returns the storage of checkpoints. */
    CheckpointStorage checkpoints();

    /** Returns the storage of items. */
    ItemStorage items();

    /** Returns the storage of assistants. */
    AssistantStorage assistants();

    /** Returns the storage of crons. */
    CronStorage crons();

    /** Completes the accepted writes, then releases files and connections. */
    @Override
    void close();
}
