// Agents of LangChain for the tests of threads.
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { AIMessage, createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { z } from "zod";

/** Calls a tool, then repeats what it returned. */
class ToolModel extends FakeListChatModel {
    bindTools() {
        return this;
    }

    async _generate(messages) {
        const last = messages.at(-1);
        const call = { id: "call", name: "double", args: { value: 21 }, type: "tool_call" };
        const message = last.getType() === "tool"
            ? new AIMessage(`the tool returned ${last.content}`)
            : new AIMessage({ content: "", tool_calls: [call] });
        return { generations: [{ text: "", message }] };
    }
}

const double = tool(({ value }) => String(value * 2), {
    name: "double",
    description: "Doubles a number.",
    schema: z.object({ value: z.number() }),
});

/** Asks before it calls its tool. */
export const assistant = createAgent({
    model: new ToolModel({ responses: [""] }),
    tools: [double],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { double: { allowedDecisions: ["approve", "reject"] } } })],
});
