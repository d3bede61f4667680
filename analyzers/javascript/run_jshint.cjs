// Lints files with JSHint and writes one line of JSON for each, as soon as it is done.
//
// The arguments are the folder of the package and the file with the request of `jshint.py`.
// Nothing else affects JSHint: no configuration file is read.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [folder, requestFile] = process.argv.slice(2);
// The last use of each name, because JSHint takes a default after the name for a use before it.
let uses = new Map();
const scopeModule = require.resolve(path.join(folder, "src", "scope-manager.js"));
const createManager = require(scopeModule);
require.cache[scopeModule].exports = (...values) => {
  const manager = createManager(...values);
  const { use } = manager.block;
  uses = new Map();
  manager.block.use = (name, token) => {
    uses.set(name, token);
    return use.call(manager.block, name, token);
  };
  return manager;
};
const { JSHINT } = require(folder);
const { Lexer } = require(path.join(folder, "src", "lex.js"));
const { state } = require(path.join(folder, "src", "state.js"));
const environments = require(path.join(folder, "src", "vars.js"));

const MAX_CHARACTERS = 300; // of a message, which may quote code
// Directives that silence nothing except what they name.
const HARMLESS = ["plain", "globals", "exported"];
const FALLS_THROUGH = /(fall|drop)\w*[\s_-]*thr(ough|u)|\bno[\s-]break\b/i;
const IMPORTS_OR_EXPORTS = /^[ \t]*(import|export)\b/m;
const REQUIRES = /(?<![\w.$])require\s*\(|\bmodule\.exports\b/;
const LET_OR_CONST = /^[ \t]*(export[ \t]+)?(let|const)\b/m;
// Rules whose second name is the most informative one.
const SECOND_NAME_FIRST = ["E049", "E057", "W027", "W075"];
const TAB_WIDTH = 4; // columns that JSHint counts for a tab
// A statement, so that JSHint does not read the text as JSON.
const PROLOGUE = '"";\n';

/**
 * Record the function around each finding, whose end is known only later. Also keep a list of
 * errors, because JSHint filters all findings again for each new one, which takes too long.
 */
function watchFindings() {
  let findings = [];
  Object.defineProperty(JSHINT, "errors", {
    get: () => findings,
    set(list) {
      const errors = list.filter(isError);
      findings = list;
      findings.filter = () => errors;
      findings.push = (finding) => {
        finding.function = state.funct;
        finding.isDoubtful = isUsedAfter(finding);
        if (isError(finding)) {
          errors.push(finding);
        }
        return Array.prototype.push.call(findings, finding);
      };
    },
  });
}

/** Return true if the name is declared before its last use, such as the default of another name. */
function isUsedAfter(finding) {
  const use = ["E056", "W003"].includes(finding.code) && uses.get(finding.a);
  return use && (use.line - finding.line || use.from - finding.character) > 0;
}

function isError(finding) {
  return finding.code.startsWith("E");
}

/** Read directives as plain comments, and code in strings as strings. */
function ignoreDirectives() {
  const scan = Lexer.prototype.scanComments;
  Lexer.prototype.scanComments = function (checks) {
    const comment = scan.call(this, checks);
    this.ignoringLinterErrors = false;
    if (comment && FALLS_THROUGH.test(comment.value)) {
      comment.commentType = "falls through";
      comment.isSpecial = true;
    } else if (comment && !HARMLESS.includes(comment.commentType)) {
      comment.isSpecial = false;
    }
    return comment;
  };
  Object.defineProperty(JSHINT, "internals", { get: () => [], set() {} });
}

function rows(funct) {
  return funct && funct["(line)"] ? [funct["(line)"], funct["(last)"] || 0] : [0, 0];
}

/** Convert JSHint's column, which counts UTF-16 units and wide tabs, to characters. */
function column(line, character) {
  let start = 1;
  let count = 1;
  for (const char of line) {
    if (start >= character) {
      break;
    }
    start += char === "\t" ? TAB_WIDTH : char.length;
    count += 1;
  }
  return count;
}

function namesIn({ code, a, b, c, d }) {
  return (SECOND_NAME_FIRST.includes(code) ? [b, a, c, d] : [a, b, c, d])
    .filter((name) => name !== undefined && name !== null)
    .map((name) => String(name).slice(0, MAX_CHARACTERS));
}

/** Return the fixed options, and those for the kind of script. */
function optionsFor(text, options, sharesGlobals) {
  const kinds = { module: IMPORTS_OR_EXPORTS.test(text), varstmt: LET_OR_CONST.test(text) };
  // A warning about undefined names is switched off by its code, whatever the value.
  return { ...options, ...kinds, ...(sharesGlobals ? { "-W117": true } : {}) };
}

function lint(text, options, globals) {
  // Scripts of one page share their global names.
  const sharesGlobals = !IMPORTS_OR_EXPORTS.test(text) && !REQUIRES.test(text);
  const source = PROLOGUE + text.replace(/^#!/, "//");
  JSHINT(source, optionsFor(text, options, sharesGlobals), globals);
  const lines = text.split("\n");
  const findings = Array.from(JSHINT.errors).filter((finding) => !finding.isDoubtful);
  return findings
    .map((error) => {
      const row = Math.min(Math.max(1, error.line - 1), lines.length);
      return {
        code: error.code,
        message: error.reason.slice(0, MAX_CHARACTERS),
        row,
        column: column(lines[row - 1], error.character || 1),
        names: namesIn(error),
        scope: rows(error.function).map((line) => Math.max(0, line - 1)),
      };
    })
    .filter(({ code, scope }) => !(sharesGlobals && code === "W098" && !scope.some(Boolean)));
}

function reason(error, seconds) {
  if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
    return `JSHint took more than ${seconds} seconds and was stopped`;
  }
  if (error instanceof RangeError) {
    return "nested too deeply for JSHint";
  }
  return `JSHint failed: ${String(error && error.message).slice(0, MAX_CHARACTERS)}`;
}

function write(report) {
  let rest = Buffer.from(`${JSON.stringify(report)}\n`);
  while (rest.length) {
    rest = rest.subarray(fs.writeSync(1, rest));
  }
}

const request = JSON.parse(fs.readFileSync(requestFile, "utf8"));
const globals = {};
for (const name of request.environments.flatMap((key) => Object.keys(environments[key]))) {
  globals[name] = true;
}
for (const name of request.knownNames.join(" ").split(" ")) {
  globals[name] = true;
}
watchFindings();
ignoreDirectives();
const script = new vm.Script("lintOne()");
for (const file of request.files) {
  const text = fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  globalThis.lintOne = () => lint(text, request.options, globals);
  try {
    write({ file, findings: script.runInThisContext({ timeout: request.seconds * 1000 }) });
  } catch (error) {
    write({ file, error: reason(error, request.seconds) });
  }
}
