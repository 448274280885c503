// Events of stream mode "tools", in which LangGraph.js names the graph of a call but not its task.

/** Notes in which task each tool is called: as callbacks of LangChain. */
export class ToolCalls {
    constructor() {
        this.name = "waybill-tools";
        this.awaitHandlers = true;
        this.tasks = new Map();
    }

    handleToolStart(_tool, _input, _id, _parent, _tags, metadata, _name, call) {
        if (call !== undefined && metadata?.langgraph_checkpoint_ns) {
            this.tasks.set(call, metadata.langgraph_checkpoint_ns);
        }
    }

    /** Returns the data of an event as it is sent: with its task, and with the members of an error. */
    dataOf(event) {
        const { toolCallId: call, error } = event ?? {};
        const task = this.tasks.get(call);
        if (["on_tool_end", "on_tool_error"].includes(event?.event)) {
            this.tasks.delete(call);
        }
        return {
            ...event,
            ...(error === undefined ? {} : { error: { error: error?.name ?? "Error", message: String(error?.message ?? error) } }),
            ...(task ? { langgraph_checkpoint_ns: task } : {}),
        };
    }
}
