package dev.waybill.runtime.worker;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.runtime.application.Graph;

/** The programs that load a module's graph and speak the worker protocol for it. */
@Singleton
class Shims {

    List<String> command(Graph.Module module) {
        throw new WorkerException("graphs in " + module.language() + " cannot be run yet; use a command");
    }
}
