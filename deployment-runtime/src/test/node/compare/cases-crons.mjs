// Crons: schedules of runs, with and without a thread. Their dates are far away, so that none is due.
import { attempt, newThread } from "./calls.mjs";

const yearly = "0 9 1 1 *";
const absent = "6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60";
const tag = () => ({ tag: `tag-${Math.random()}` });
const schedule = (more = {}) => ({ schedule: yearly, input: { messages: [] }, ...more });

export const cronCases = {
    "crons.create": ({ crons }) => attempt(crons.create("chat", schedule({ metadata: { purpose: "test" } }))),
    "crons.create invalid": ({ crons }) => attempt(crons.create("chat", { schedule: "often" })),
    "crons.createForThread": async (client) =>
        attempt(client.crons.createForThread(await newThread(client), "chat", schedule())),
    "crons.createForThread missing": ({ crons }) => attempt(crons.createForThread(absent, "chat", schedule())),
    "crons.update": async ({ crons }) => {
        const cron = await attempt(crons.create("chat", schedule()));
        return attempt(crons.update(cron.cron_id ?? absent, { schedule: "0 10 1 1 *" }));
    },
    "crons.update missing": ({ crons }) => attempt(crons.update(absent, { schedule: yearly })),
    "crons.search": async (client) => {
        const metadata = tag();
        await attempt(client.crons.create("chat", schedule({ metadata })));
        const found = await attempt(client.crons.search({ metadata, limit: 10 }));
        return Array.isArray(found) ? found.length : found;
    },
    "crons.count": async (client) => {
        const metadata = tag();
        await attempt(client.crons.create("chat", schedule({ metadata })));
        return attempt(client.crons.count({ metadata }));
    },
    "crons.delete": async ({ crons }) => {
        const cron = await attempt(crons.create("chat", schedule()));
        return attempt(crons.delete(cron.cron_id ?? absent));
    },
    "crons.delete missing": ({ crons }) => attempt(crons.delete(absent)),
};
