import * as vscode from 'vscode';
import { DEFAULT_TYPES, type MessageType } from './protocol';

/** Keys of the section `escapelens` that concern this client alone. */
const CLIENT_ONLY = ['server', 'gutter', 'underline', 'overviewRuler', 'trace'];

interface ClientSettings {
  /** The command that starts the server; empty to look for it. */
  readonly command: readonly string[];
  /** The Python that the server is installed with; empty to look for it. */
  readonly python: string;
  readonly gutter: boolean;
  readonly underline: boolean;
  readonly overviewRuler: boolean;
}

/** The settings of this client. */
export function clientSettings(): ClientSettings {
  const section = vscode.workspace.getConfiguration('escapelens');
  return {
    command: section.get<string[]>('server.command', []),
    python: section.get('server.python', ''),
    gutter: section.get('gutter', true),
    underline: section.get('underline', false),
    overviewRuler: section.get('overviewRuler', true),
  };
}

/**
 * Which types are shown: what the user chose in this window, else the setting `show`.
 *
 * The server knows it as that setting, so that a choice outlives a restart of the server.
 */
export class Shown {
  private chosen: readonly MessageType[] | undefined;
  private nothing = false;

  /** Whether the user hid everything. */
  get hidden(): boolean {
    return this.nothing;
  }

  /** The types as the setting `show` of the server. Null is the server's default. */
  get setting(): readonly MessageType[] | null {
    return this.nothing ? [] : this.wanted;
  }

  /** The types to start from when the user chooses. */
  get types(): readonly MessageType[] {
    return this.wanted ?? DEFAULT_TYPES;
  }

  choose(types: readonly MessageType[] | undefined): void {
    this.chosen = types;
    this.nothing = false;
  }

  hide(nothing: boolean): void {
    this.nothing = nothing;
  }

  private get wanted(): readonly MessageType[] | null {
    return this.chosen ?? vscode.workspace.getConfiguration('escapelens').get<MessageType[] | null>('show', null);
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
