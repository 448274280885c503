// An agent without dependencies: an async generator. Strings are chunks of the message, [mode, data] are other events.
const TOKENS = /^tokens:(\d+)(?:\s+delay:(\d+))?$/;

export async function* graph(input, { signal }) {
    const text = String(input?.messages?.at(-1)?.content ?? "").trim();
    if (text === "fail") {
        throw Object.assign(new Error("The agent was asked to fail."), { name: "AskedToFail" });
    }
    const asked = TOKENS.exec(text);
    const pieces = asked
        ? Array.from({ length: Number(asked[1]) }, (_, i) => `token-${i} `)
        : text.split(/(?<=\s)/);
    let said = 0;
    for (const piece of pieces) {
        if (asked?.[2]) {
            await new Promise((wake) => setTimeout(wake, Number(asked[2])));
            signal.throwIfAborted();
        }
        yield piece;
        yield ["custom", { pieces: ++said }];
    }
}
