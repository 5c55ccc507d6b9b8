import * as vscode from 'vscode';
import type { Status } from './protocol';

/** The language status of Go files: whether an analysis runs, and why the last one failed. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem('escapelens.status', { language: 'go' });

  constructor() {
    this.item.name = 'EscapeLens';
    this.item.text = 'EscapeLens';
    this.item.command = { title: 'Show Output', command: 'escapelens.showOutput' };
  }

  update({ state, package: name, message }: Status): void {
    const failed = state === 'failed';
    this.item.busy = state === 'running';
    this.item.severity = failed ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.text = failed ? 'EscapeLens: failed' : 'EscapeLens';
    this.item.detail = state === 'running' ? `analyzing ${name}` : message || name;
  }

  dispose(): void {
    this.item.dispose();
  }
}
