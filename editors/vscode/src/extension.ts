import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Explanation } from './explanation';
import { Gutter } from './gutter';
import { Installation } from './install';
import { Kept } from './kept';
import type { GoEnvironment } from './protocol';
import { Runs } from './runs';
import { Server } from './server';
import { Shown } from './settings';
import { ViewState } from './state';
import { StatusItem } from './status';
import { Texts } from './texts';
import type { Tree } from './tree';
import { View } from './view';

let server: Server | undefined;

/** What tests and benchmarks look at from inside the extension host. */
interface Inside {
  readonly tree: Tree;
  readonly gutter: Gutter;
  readonly state: ViewState;
}

export async function activate(context: vscode.ExtensionContext): Promise<Inside> {
  const output = vscode.window.createOutputChannel('EscapeLens', { log: true });
  const shown = new Shown();
  const status = new StatusItem(shown);
  const texts = new Texts();
  const explanation = new Explanation();
  const installation = new Installation(context.extensionPath, context.globalStorageUri.fsPath, output);
  const running = new Server(output, shown, context.extensionPath, installation);
  const state = new ViewState(context.workspaceState);
  const view = new View(running, state, shown);
  const runs = new Runs(running, state, view);
  const kept = new Kept(runs, state);
  const gutter = new Gutter(running, state);
  server = running;
  context.subscriptions.push(
    output,
    status,
    texts,
    explanation,
    gutter,
    runs,
    kept,
    view,
    state,
    running,
    registerCommands({ context, server: running, shown, state, view, runs, texts, explanation, output }),
    state.onDidChange(() => gutter.refresh()),
    running.onStatus((said) => {
      void vscode.commands.executeCommand('setContext', 'escapelens.running', said.state === 'running');
      if (said.package !== '') {
        status.update(said);
      } else {
        status.refresh();
      }
      if (said.state !== 'running') {
        gutter.refresh();
        view.refresh();
        kept.refresh();
        void compiler(running, status);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor(() => void compiler(running, status)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('escapelens.show')) {
        shown.choose(undefined);
      }
      if (['gutter', 'underline', 'overviewRuler'].some((key) => event.affectsConfiguration(`escapelens.${key}`))) {
        gutter.refresh();
      }
      if (event.affectsConfiguration('escapelens.server')) {
        void running.restart();
      } else if (event.affectsConfiguration('escapelens')) {
        asked.clear();
        void running.settingsChanged();
      }
    }),
  );
  await running.restart();
  return { tree: view.tree, gutter, state };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** By folder: which Go compiles there. */
const asked = new Map<string, Promise<GoEnvironment | undefined>>();

async function compiler(running: Server, status: StatusItem): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'go') {
    return;
  }
  const folder = dirname(document.uri.path);
  const known = asked.get(folder);
  const answer = known ?? running.command<GoEnvironment>('escapelens.environment', { uri: document.uri.toString() });
  asked.set(folder, answer);
  const found = await answer;
  if (found?.go === undefined) {
    asked.delete(folder);
  } else {
    status.compiler(`${found.go} ${found.goos}/${found.goarch}`);
  }
}
