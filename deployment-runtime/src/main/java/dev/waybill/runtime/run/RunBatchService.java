package dev.waybill.runtime.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Starts background runs without threads together: all of a batch, or none. */
@Singleton
public class RunBatchService {

    private final RunLifecycleService lifecycle;
    private final KeptThreadService kept;
    private final RunRegistry registry;

    RunBatchService(RunLifecycleService lifecycle, KeptThreadService kept, RunRegistry registry) {
        this.lifecycle = lifecycle;
        this.kept = kept;
        this.registry = registry;
    }

    /**
     * Starts the runs. Fails with 422 for webhooks without a public address and 404 for unknown assistants, which are all
     * reported, with 429 at the limit of active runs and with 503 during shutdown; no run has started then. All runs start
     * also if the client disconnects while they are stored.
     */
    public Uni<List<RunResponse>> start(List<CreateRunRequest> requests, Owner owner, String principal) {
        return Uni.createFrom().deferred(() -> {
            requireWebhooks(requests);
            return resolve(requests, owner);
        }).chain(resolved -> Uni.createFrom().completionStage(
                // A cancellation of the copy does not reach the runs.
                () -> create(resolved, owner, principal).map(this::start).subscribeAsCompletionStage().copy()));
    }

    private List<RunResponse> start(List<Run> created) {
        created.forEach(run -> {
            run.retainValues();
            lifecycle.start(run);
        });
        return created.stream().map(Run::createdResponse).toList();
    }

    private void requireWebhooks(List<CreateRunRequest> requests) {
        List<Violation> violations = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            int index = i;
            try {
                lifecycle.require(requests.get(i));
            } catch (ProblemException e) {
                if (e.type() != CommonProblem.INVALID) {
                    throw e;
                }
                e.violations().forEach(violation -> violations.add(violation.in(index)));
            }
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
    }

    private Uni<List<ResolvedRun>> resolve(List<CreateRunRequest> requests, Owner owner) {
        Map<String, List<String>> missing = new LinkedHashMap<>();
        List<ResolvedRun> resolved = new ArrayList<>();
        return Multi.createFrom().range(0, requests.size())
                .onItem().transformToUniAndConcatenate(index -> lifecycle.resolve(requests.get(index), owner)
                        .invoke(resolved::add)
                        .onFailure(RunBatchService::isMissing)
                        .invoke(failure -> missing
                                .computeIfAbsent(String.valueOf(failure.getMessage()), ignored -> new ArrayList<>())
                                .add("[" + index + "].assistant_id"))
                        .onFailure(RunBatchService::isMissing).recoverWithNull())
                .collect().asList()
                .map(ignored -> {
                    if (!missing.isEmpty()) {
                        throw new ProblemException(CommonProblem.NOT_FOUND, missing.entrySet().stream()
                                .map(detail -> String.join(", ", detail.getValue()) + ": " + detail.getKey())
                                .collect(Collectors.joining(" ")));
                    }
                    return resolved;
                });
    }

    private static boolean isMissing(Throwable failure) {
        return failure instanceof ProblemException problem && problem.type() == CommonProblem.NOT_FOUND;
    }

    private Uni<List<Run>> create(List<ResolvedRun> requests, Owner owner, String principal) {
        List<Run> created = new ArrayList<>();
        return Multi.createFrom().iterable(requests)
                .onItem().transformToUniAndConcatenate(run -> kept.applies(run)
                        .chain(keeps -> keeps ? kept.create(run, owner, principal, true)
                                : Uni.createFrom().item(() -> lifecycle.create(run, principal))))
                .invoke(created::add)
                .collect().asList()
                .onFailure().invoke(() -> withdraw(created));
    }

    /** Removes runs that were not started; one with a thread is stored, and ends as cancelled. */
    private void withdraw(List<Run> created) {
        List.copyOf(created).forEach(run -> {
            if (run.execution() == null) {
                registry.discard(run);
            } else {
                lifecycle.cancel(run);
                lifecycle.start(run);
            }
        });
    }
}
