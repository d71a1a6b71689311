// Starts the language server `gramspect lsp` in each folder of the workspace, and does nothing else.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const FILES = "**/*.{g4,lark,y,yy,jj,jjt,cup,py}";
const CONFIGURATIONS = "**/{gramspect.toml,pyproject.toml}";

/** @type {Map<string, import("vscode-languageclient/node").LanguageClient>} by folder */
const clients = new Map();

/** @param {vscode.WorkspaceFolder} folder */
async function start(folder) {
  const settings = vscode.workspace.getConfiguration("gramspect", folder.uri);
  const [command, ...args] = settings.get("command", ["gramspect", "lsp"]);
  const selector = [FILES, CONFIGURATIONS].map((pattern) => ({
    scheme: "file",
    pattern: `${folder.uri.fsPath}/${pattern}`,
  }));
  const client = new LanguageClient(
    "gramspect",
    "gramspect",
    { command, args, options: { cwd: folder.uri.fsPath } },
    { documentSelector: selector, workspaceFolder: folder },
  );
  clients.set(folder.uri.toString(), client);
  await client.start();
}

/** @param {vscode.WorkspaceFolder} folder */
async function stop(folder) {
  const client = clients.get(folder.uri.toString());
  clients.delete(folder.uri.toString());
  await client?.stop();
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  context.subscriptions.push(
    vscode.workspace.onDidChangeWorkspaceFolders(async (change) => {
      await Promise.all([...change.removed.map(stop), ...change.added.map(start)]);
    }),
  );
  await Promise.all((vscode.workspace.workspaceFolders ?? []).map(start));
}

async function deactivate() {
  await Promise.all([...clients.values()].map((client) => client.stop()));
}

module.exports = { activate, deactivate };
