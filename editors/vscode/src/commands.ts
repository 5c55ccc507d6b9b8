import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { chooseGroups, chooseScope, chooseSort, chooseTypes, filterByText } from './choices';
import { chooseEnvironment } from './environment';
import type { Explanation } from './explanation';
import { isGoFile } from './gutter';
import type { Run, Scope } from './protocol';
import type { Runs } from './runs';
import { openSample } from './sample';
import type { Server } from './server';
import type { Shown } from './settings';
import { NO_ENVIRONMENT, type ViewState } from './state';
import type { Texts } from './texts';
import type { Node } from './tree';
import type { View } from './view';

export interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly server: Server;
  readonly shown: Shown;
  readonly state: ViewState;
  readonly view: View;
  readonly runs: Runs;
  readonly texts: Texts;
  readonly explanation: Explanation;
  readonly output: vscode.LogOutputChannel;
}

/** All commands of the extension. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { server, shown, state, view, runs } = parts;
  const settings = (scope: Scope) => (): Promise<void> => runs.start(scope, NO_ENVIRONMENT);
  const forRuns: Record<string, (run: Run) => unknown> = {
    'view.showRun': (run) => runs.show(run),
    'view.compareRun': (run) => runs.since(run),
  };
  const commands: Record<string, (node?: Node) => unknown> = {
    analyzeFile: settings('file'),
    analyzePackage: settings('package'),
    analyzeModule: settings('module'),
    chooseTypes: async () => (await chooseTypes(shown, view)) && changed(parts),
    show: () => hide(parts, false),
    hide: () => hide(parts, true),
    toggle: () => hide(parts, !shown.hidden),
    explainHere: () => explain(parts),
    showRawText: () => showRaw(parts),
    installServer: () => server.install(),
    restartServer: () => server.restart(),
    showOutput: () => parts.output.show(),
    openSample: () => openSample(parts.context),
    comparePrevious: () => runs.comparePrevious(),
    compareWith: () => runs.compareWith(),
    'view.run': () => runs.start(),
    'view.cancel': () => runs.cancel(),
    'view.environment': async () => (await chooseEnvironment(server, state, view)) && runs.start(),
    'view.result': () => runs.choose(),
    'view.newest': () => state.show(),
    'view.scope': () => chooseScope(state),
    'view.group': () => chooseGroups(state),
    'view.sort': () => chooseSort(state),
    'view.filter': () => filterByText(state),
    'view.clearFilter': () => state.filter(''),
    'view.reveal': () => view.reveal(),
    'view.expand': () => view.tree.expand(2),
    'view.copy': (node) => view.copy(node),
    'view.open': (node) => node && view.open(node),
  };
  return vscode.Disposable.from(
    ...Object.entries({ ...commands, ...forRuns } as Record<string, (argument: never) => unknown>).map(([name, run]) => vscode.commands.registerCommand(`escapelens.${name}`, run)),
  );
}

/** What is shown has changed: the server, the view and the marks follow. */
async function changed({ server, view }: Parts): Promise<void> {
  view.refresh();
  await server.settingsChanged();
}

async function hide(parts: Parts, nothing: boolean): Promise<void> {
  parts.shown.hide(nothing);
  await changed(parts);
}

async function explain({ server, explanation }: Parts): Promise<void> {
  const editor = goEditor();
  if (editor === undefined) {
    return;
  }
  const { uri } = editor.document;
  const { line, character } = editor.selection.active;
  const argument = { uri: uri.toString(), position: { line, character } };
  const answer = await server.command<{ markdown: string | null }>('escapelens.explain', argument);
  if (!answer?.markdown) {
    void vscode.window.showInformationMessage('The compiler says nothing about this place.');
    return;
  }
  await explanation.show(uri, line, answer.markdown);
}

async function showRaw({ server, texts, view }: Parts): Promise<void> {
  const uri = goEditor()?.document.uri ?? view.around;
  if (uri === undefined) {
    return;
  }
  const answer = await server.command<{ text: string }>('escapelens.showRaw', { uri: uri.toString() });
  if (answer !== undefined) {
    await vscode.window.showTextDocument(texts.put(dirname(uri.fsPath), answer.text));
  }
}

function goEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && isGoFile(editor.document) ? editor : undefined;
}
