package dev.waybill.runtime.storage.sqlite;

import java.nio.file.Path;
import java.time.Clock;

import dev.waybill.common.id.Ids;
import dev.waybill.runtime.storage.AssistantStorage;
import dev.waybill.runtime.storage.CheckpointStorage;
import dev.waybill.runtime.storage.CronStorage;
import dev.waybill.runtime.storage.ItemStorage;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage;

/** The storage of threads in one file of a directory. */
public final class SqliteStorage implements Storage {

    private final SqliteFile file;
    private final SqliteThreads threads;
    private final SqliteRuns runs;
    private final SqliteCheckpoints checkpoints;
    private final SqliteItems items;
    private final SqliteAssistants assistants;
    private final SqliteCrons crons;

    private SqliteStorage(SqliteFile file, Clock clock) {
        this.file = file;
        this.threads = new SqliteThreads(file, clock, new Ids(clock));
        this.runs = new SqliteRuns(file, threads, clock);
        this.checkpoints = new SqliteCheckpoints(file);
        this.items = new SqliteItems(file, clock);
        this.assistants = new SqliteAssistants(file, clock);
        this.crons = new SqliteCrons(file, runs, clock);
    }

    /** Opens or creates the file; fails if another process uses the directory. Blocks. */
    public static SqliteStorage open(Path directory, Clock clock) {
        return new SqliteStorage(SqliteFile.open(directory), clock);
    }

    @Override
    public ThreadStorage threads() {
        return threads;
    }

    @Override
    public RunStorage runs() {
        return runs;
    }

    @Override
    public CheckpointStorage checkpoints() {
        return checkpoints;
    }

    @Override
    public ItemStorage items() {
        return items;
    }

    @Override
    public AssistantStorage assistants() {
        return assistants;
    }

    @Override
    public CronStorage crons() {
        return crons;
    }

    @Override
    public void close() {
        file.close();
    }
}
