// Accepted differences from the public development server, and why. The first rule that matches a case and a path counts.

const SERVER = /(metadata|data\[1\])\.(created_by|langgraph_(host|plan|version)|run_attempt|user-agent)$/;
const CONTEXT = /config(\.configurable(\.user-agent)?)?$/;
const FAILURE = /(^|\.)failed$|__error__/;

export const accepted = [
    [/./, SERVER, "It describes the server and its client, not the run."],
    [/./, /(^|\.)state_updated_at$/, "As the SDK's type of a thread has it."],
    [/^threads|^interruptBefore$/, CONTEXT, "The name of a client is not part of a thread's configuration."],
    [/^threads/, /(^|\.)interrupts$/, "As the SDK's type has it; `{}` without interrupts."],
    [/^(threads\.get failed|interruptBefore)$/, /interrupts(\.<id>)?$/, "Only tasks with interrupts are listed."],
    [/^threads\.get failed$/, /^error\./, "Clients can show the error of the last run without its stream."],
    [/^threads\.copy$/, /^copy\.(values|metadata)\b/, "The copy has the values at once; metadata is copied unchanged."],
    [/^(state|history|update)/, /(^|[.\]])interrupts\b/, "As the SDK's type of a state has it."],
    [/^state of a subgraph$/, /checkpoint/, "The checkpoint of the subgraph can be used for an update."],
    [/^state of a new thread$/, /^state\.metadata$/, "As the SDK's type has it."],
    [/^history page$/, /^beforeConfig\b/, "The form that the SDK documents is accepted as well."],
    [/^history page$/, /^ofCheckpoint\b/, "`checkpoint` selects the states of its namespace, or the one with its id."],
    [/^state at a missing checkpoint$/, /./, "A missing checkpoint is 404, also one of another thread."],
    [/^state at a subgraph/, /metadata\.checkpoint_/, "The checkpoint itself contains them."],
    [/^update as a node$/, /^thread\.status$/, "The thread has next tasks, so a run without an input continues it."],
    [/^update/, /^updated\.configurable/, "The form of an older SDK is returned as well."],
    [/^fork from a checkpoint of another thread$/, /./, "A checkpoint of another thread is 404."],
    [/^(runs\.wait|runs\.join|interruptBefore)/, /(^|values\.)(log|messages)\b/,
        "The values of an interrupted run contain its state, as in LangGraph's `invoke`."],
    [/^interruptAfter$/, /./, "The values include the step before the breakpoint."],
    [/^runs\.create$/, /kwargs\b|metadata\./, "The request is not returned: it can be large and contain secrets."],
    [/^runs\.create$/, /multitask_strategy$/, "Second messages wait instead of failing."],
    [/^runs\.list$/, /./, "Newest first, and `offset` counts from there."],
    [/^runs\.join failed$|^runs\.wait failed$/, /./, "The error has the type and the message that the graph raised."],
    [/^runs\.join missing$/, /./, "A missing run is 404."],
    [/^(runs\.cancel|strategy) rollback$/, /./,
        "The run is deleted with its checkpoints, and the next one starts without them."],
    [/^strategy reject$/, FAILURE, "The thread is busy: a conflict."],
    [/^stream messages$/, /./, "Only messages of the run's steps are sent; the SDKs use `messages-tuple`."],
    [/^stream checkpoints$/, /./, "The mode is implemented."],
    [/^stream debug$/, /user-agent$/, "It describes the client, not the run."],
    [/^stream/, /\.(event|data)$/, "The last event is `end`, so that a client can tell the end from a lost connection."],
    [/^durability exit$/, /./, "The option has its effect: one checkpoint for a run."],
    [/./, FAILURE, "The status names the cause: 404 for what is missing, 409 for conflicts, 422 for invalid values."],
];
