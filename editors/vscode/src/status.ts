import * as vscode from 'vscode';
import { type Status, TYPES } from './protocol';
import type { Shown } from './settings';

/** The language status of Go files: whether an analysis runs, why the last one failed, what is hidden, which Go. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem('escapelens.status', { language: 'go' });
  private last: Status = { state: 'idle', package: '', message: '' };
  private go = '';

  constructor(private readonly shown: Shown) {
    this.item.name = 'EscapeLens';
    this.update(this.last);
  }

  /** What the server said last. */
  update(status: Status): void {
    this.last = status;
    const { state, package: name, message } = status;
    const failed = state === 'failed';
    this.item.busy = state === 'running';
    this.item.severity = failed ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.text = failed ? 'EscapeLens: failed' : this.shown.hidden ? 'EscapeLens: hidden' : 'EscapeLens';
    const said = state === 'running' ? `analyzing ${name}` : message || name;
    this.item.detail = [said, this.hidden(), this.go].filter((part) => part !== '').join(' · ');
    this.item.command = failed
      ? { title: 'Show Output', command: 'escapelens.showOutput' }
      : this.shown.hidden
        ? { title: 'Show', command: 'escapelens.show' }
        : { title: 'Hide', command: 'escapelens.hide' };
  }

  /** What is shown has changed. */
  refresh(): void {
    this.update(this.last);
  }

  /** Which Go compiles the file that is looked at. */
  compiler(go: string): void {
    this.go = go;
    this.refresh();
  }

  dispose(): void {
    this.item.dispose();
  }

  private hidden(): string {
    if (this.shown.hidden) {
      return '';
    }
    const shown = this.shown.types;
    const hidden = TYPES.filter(({ id }) => !shown.includes(id)).map(({ label }) => label);
    return hidden.length > 0 ? `hidden: ${hidden.join(', ')}` : '';
  }
}
