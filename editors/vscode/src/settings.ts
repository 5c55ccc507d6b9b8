import * as vscode from 'vscode';
import { DEFAULT_TYPES, type MessageType } from './protocol';

/** Keys of the section `escapelens` that concern this client alone. */
const CLIENT_ONLY = ['server', 'gutter'];

/** The settings of this client. */
export function clientSettings(): { readonly command: readonly string[]; readonly gutter: boolean } {
  const section = vscode.workspace.getConfiguration('escapelens');
  return { command: section.get<string[]>('server.command', []), gutter: section.get('gutter', true) };
}

/**
 * Which types are shown: what the user chose in this window, else the setting `show`.
 *
 * The server knows it as that setting, so that a choice outlives a restart of the server.
 */
export class Shown {
  private chosen: readonly MessageType[] | undefined;
  private hidden = false;

  /** The types as the setting `show` of the server. Null is the server's default. */
  get setting(): readonly MessageType[] | null {
    if (this.hidden) {
      return [];
    }
    return this.chosen ?? vscode.workspace.getConfiguration('escapelens').get<MessageType[] | null>('show', null);
  }

  /** The types to start from when the user chooses. */
  get types(): readonly MessageType[] {
    return this.setting ?? DEFAULT_TYPES;
  }

  choose(types: readonly MessageType[] | undefined): void {
    this.chosen = types;
    this.hidden = false;
  }

  toggle(): void {
    this.hidden = !this.hidden;
  }
}

/** The settings as the server takes them. */
export function serverSettings(shown: Shown): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration('escapelens');
  const values = JSON.parse(JSON.stringify(section)) as Record<string, unknown>;
  for (const key of CLIENT_ONLY) {
    delete values[key];
  }
  return { ...values, show: shown.setting };
}
