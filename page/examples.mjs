// Write the data of a report to a TypeScript file, so that `tsc` can check that data.py writes what
// src/data.ts declares: `node examples.mjs report.html`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const html = readFileSync(process.argv[2], "utf8");
const blocks = [
  ...html.matchAll(/<script type="application\/json" id="([^"]*)">(.*?)<\/script>/gs),
];
const lines = blocks.map(([, id, json]) => {
  const type = id === "data" ? "Overview" : "DocumentBlock";
  return `export const ${id.replace("-", "")}: ${type} = ${json};`;
});
mkdirSync("build", { recursive: true });
writeFileSync(
  "build/examples.ts",
  `import type { DocumentBlock, Overview } from "../src/data";\n${lines.join("\n")}\n`,
);
