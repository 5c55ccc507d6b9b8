import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Explanation } from './explanation';
import { Gutter } from './gutter';
import { Server } from './server';
import { Shown } from './settings';
import { StatusItem } from './status';
import { Texts } from './texts';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('EscapeLens', { log: true });
  const shown = new Shown();
  const status = new StatusItem();
  const texts = new Texts();
  const explanation = new Explanation();
  const running = new Server(output, shown, context.extensionPath);
  const gutter = new Gutter(running);
  server = running;
  context.subscriptions.push(
    output,
    status,
    texts,
    explanation,
    gutter,
    running,
    registerCommands(running, shown, texts, explanation),
    vscode.commands.registerCommand('escapelens.showOutput', () => output.show()),
    running.onStatus((said) => {
      if (said.package !== '') {
        status.update(said);
      }
      if (said.state !== 'running') {
        gutter.refresh();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('escapelens.show')) {
        shown.choose(undefined);
      }
      if (event.affectsConfiguration('escapelens.gutter')) {
        gutter.refresh();
      }
      if (event.affectsConfiguration('escapelens.server')) {
        void running.restart();
      } else if (event.affectsConfiguration('escapelens')) {
        void running.settingsChanged();
      }
    }),
  );
  await running.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
