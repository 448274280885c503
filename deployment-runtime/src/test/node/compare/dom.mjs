// Makes a page of jsdom global, as React needs it before it is imported.
import { JSDOM } from "jsdom";

const dom = new JSDOM("<!doctype html><div id=root></div>", { url: "http://localhost/" });
for (const name of ["window", "document", "navigator", "HTMLElement", "Node"]) {
    // Newer versions of Node have a navigator of their own.
    Object.defineProperty(globalThis, name, { value: dom.window[name], configurable: true });
}
