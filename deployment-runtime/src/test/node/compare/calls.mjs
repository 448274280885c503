// Calls that the cases of the comparison share.

/** Assistant ids of the graphs are their names. */
export const message = (content) => ({ messages: [{ role: "user", content, id: `m-${content}` }] });

/** Returns the result, or the status of the response. */
export const attempt = (promise) =>
    promise.then((value) => value ?? null, (error) => ({ failed: error.status ?? String(error) }));

/** Returns the id of a new thread. */
export async function newThread({ threads }, more = {}) {
    return (await threads.create(more)).thread_id;
}

export const wait = ({ runs }, thread, graph, content, more = {}) =>
    runs.wait(thread, graph, { input: content === null ? null : message(content), ...more });

export const start = ({ runs }, thread, graph, content, more = {}) =>
    runs.create(thread, graph, { input: message(content), ...more });

/** Returns the id of a new thread whose graph waits for an answer. */
export async function asked(client, graph = "approval") {
    const thread = await newThread(client);
    await wait(client, thread, graph, "hello");
    return thread;
}

/** Returns the id of a new thread with two finished runs. */
export async function talked(client) {
    const thread = await newThread(client);
    await wait(client, thread, "chat", "one");
    await wait(client, thread, "chat", "two");
    return thread;
}

/** Returns the events of a stream without comments. */
export async function events(stream) {
    const all = [];
    for await (const { event, data } of stream) {
        all.push({ event, data });
    }
    return all;
}

/** Waits until the run has stored its first step. */
export async function begun({ runs, threads }, thread, run) {
    for (let i = 0; i < 400; i++) {
        const [{ values }] = [...await threads.getHistory(thread, { limit: 1 }), { values: {} }];
        if (values.log?.length > 0) {
            return run;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The run did not begin.");
}

/** Returns a thread as clients show it. */
export const summary = async ({ threads }, id) => {
    const { status, values, interrupts } = await threads.get(id);
    return { status, log: values?.log ?? null, interrupts: Object.values(interrupts ?? {}).flat() };
};
