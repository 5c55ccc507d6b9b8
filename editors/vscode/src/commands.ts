import * as vscode from 'vscode';
import type { Explanation } from './explanation';
import { type Analysis, TYPES } from './protocol';
import type { Server } from './server';
import type { Shown } from './settings';
import type { Texts } from './texts';

/** The commands of the palette. */
export function registerCommands(
  server: Server,
  shown: Shown,
  texts: Texts,
  explanation: Explanation,
): vscode.Disposable {
  const commands: Record<string, () => unknown> = {
    analyzeFile: () => analyze(server, 'file'),
    analyzePackage: () => analyze(server, 'package'),
    analyzeModule: () => analyze(server, 'module'),
    chooseTypes: () => chooseTypes(server, shown),
    toggle: () => toggle(server, shown),
    explainHere: () => explain(server, explanation),
    showRawText: () => showRaw(server, texts),
    restartServer: () => server.restart(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`escapelens.${name}`, run)),
  );
}

async function analyze(server: Server, scope: 'file' | 'package' | 'module'): Promise<void> {
  const uri = goEditor()?.document.uri.toString();
  if (uri === undefined) {
    return;
  }
  const answer = await server.command<Analysis>('escapelens.analyze', { uri, scope });
  if (answer?.error !== undefined) {
    void vscode.window.showErrorMessage(answer.error);
  }
}

async function chooseTypes(server: Server, shown: Shown): Promise<void> {
  const now = shown.types;
  const items = TYPES.map(({ id, label, detail }) => ({ id, label, description: detail, picked: now.includes(id) }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: 'EscapeLens: message types to show',
  });
  if (picked !== undefined) {
    shown.choose(picked.map(({ id }) => id));
    await server.settingsChanged();
  }
}

async function toggle(server: Server, shown: Shown): Promise<void> {
  shown.toggle();
  await server.settingsChanged();
}

async function explain(server: Server, explanation: Explanation): Promise<void> {
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

async function showRaw(server: Server, texts: Texts): Promise<void> {
  const uri = goEditor()?.document.uri;
  if (uri === undefined) {
    return;
  }
  const answer = await server.command<{ text: string }>('escapelens.showRaw', { uri: uri.toString() });
  if (answer !== undefined) {
    await vscode.window.showTextDocument(texts.put(uri, 'compiler.txt', answer.text));
  }
}

function goEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === 'go' ? editor : undefined;
}
