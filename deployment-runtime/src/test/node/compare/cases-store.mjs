// Items of the store.
import { attempt } from "./calls.mjs";

const space = () => ["compare", `s${String(Math.random()).slice(2)}`];
/** Returns the namespaces without their random label. */
const labels = ({ namespaces }) => namespaces.map((namespace) => namespace.filter((label) => !/^s\d+$/.test(label)));
const keys = ({ items }) => items.map(({ key }) => key).sort();

export const storeCases = {
    "store.putItem": async ({ store }) => attempt(store.putItem(space(), "a", { n: 1 })),
    "store.getItem": async ({ store }) => {
        const namespace = space();
        await store.putItem(namespace, "a", { n: 1, nested: { text: "b" } });
        const { namespace: read, ...item } = await store.getItem(namespace, "a");
        const same = JSON.stringify(read) === JSON.stringify(namespace);
        return { item, same, absent: await attempt(store.getItem(namespace, "z")) };
    },
    "store.putItem again": async ({ store }) => {
        const namespace = space();
        await store.putItem(namespace, "a", { n: 1 });
        await store.putItem(namespace, "a", { m: 2 });
        return (await store.getItem(namespace, "a")).value;
    },
    "store.deleteItem": async ({ store }) => {
        const namespace = space();
        await store.putItem(namespace, "a", { n: 1 });
        return {
            deleted: await attempt(store.deleteItem(namespace, "a")), again: await attempt(store.deleteItem(namespace, "a")),
            read: await attempt(store.getItem(namespace, "a")),
        };
    },
    "store.searchItems": async ({ store }) => {
        const namespace = space();
        for (const [key, value] of Object.entries({ a: { n: 1, kind: "x" }, b: { n: 2, kind: "x" }, c: { n: 3, kind: "y" } })) {
            await store.putItem([...namespace, "deep"], key, value);
        }
        const search = (options) => store.searchItems(namespace, options);
        return {
            all: keys(await search({})), equal: keys(await search({ filter: { kind: "x" } })),
            greater: keys(await search({ filter: { n: { $gt: 1 } } })),
            unequal: keys(await search({ filter: { kind: { $ne: "x" } } })),
            limit: (await search({ limit: 2 })).items.length, offset: (await search({ offset: 2 })).items.length,
            members: Object.keys((await search({ filter: { n: 3 } })).items[0]).sort(),
            none: await store.searchItems([...namespace, "none"]),
        };
    },
    "store.listNamespaces": async ({ store }) => {
        const [root, random] = space();
        for (const tail of [["a"], ["a", "x"], ["b", "x"]]) {
            await store.putItem([root, random, ...tail], "key", { n: 1 });
        }
        const list = async (options) => labels(await store.listNamespaces({ prefix: [root, random], ...options })).sort();
        return {
            all: await list({}), depth: await list({ maxDepth: 3 }), suffix: await list({ suffix: ["x"] }),
            page: (await list({ limit: 1, offset: 1 })).length,
        };
    },
    "store.putItem invalid": async ({ store }) => ({
        dot: await attempt(store.putItem(["a.b"], "a", { n: 1 })), text: await attempt(store.putItem(space(), "a", "text")),
    }),
};
