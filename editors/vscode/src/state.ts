import * as vscode from 'vscode';
import type { Level, Pair, Scope, Sort } from './protocol';

export const LEVELS: readonly { readonly id: Level; readonly label: string }[] = [
  { id: 'file', label: 'File' },
  { id: 'function', label: 'Function' },
  { id: 'type', label: 'Type' },
  { id: 'cause', label: 'Cause' },
  { id: 'package', label: 'Package' },
];

const DEFAULT_LEVELS: readonly Level[] = ['file', 'function', 'type'];

/** An environment of its own for runs that are asked for. */
export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly gcflags: readonly string[];
}

export const NO_ENVIRONMENT: Environment = { env: {}, tags: [], gcflags: [] };

/** What is shown: the newest results, a run with an environment of its own, or what changed between two runs. */
export interface Source {
  readonly run?: string;
  readonly compare?: Pair;
  readonly title: string;
}

const NEWEST: Source = { title: '' };

/** What the user chose for the view; all but the source and the text is remembered for the workspace. */
export class ViewState implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private shownSource = NEWEST;
  private typed = '';

  constructor(private readonly memory: vscode.Memento) {
    this.tell();
  }

  get scope(): Scope {
    return this.memory.get<Scope>('scope', 'package');
  }

  get groupBy(): readonly Level[] {
    return this.memory.get<readonly Level[]>('groupBy', DEFAULT_LEVELS);
  }

  get sort(): Sort {
    return this.memory.get<Sort>('sort', 'position');
  }

  get environment(): Environment {
    return this.memory.get<Environment>('environment', NO_ENVIRONMENT);
  }

  get text(): string {
    return this.typed;
  }

  get source(): Source {
    return this.shownSource;
  }

  /** The environment as it is written behind a command; empty while it is the settings'. */
  get environmentLabel(): string {
    const { env, tags, gcflags } = this.environment;
    const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    return [...variables, ...(tags.length > 0 ? [`-tags=${tags.join(',')}`] : []), ...gcflags].join(' ');
  }

  async remember(key: 'scope' | 'groupBy' | 'sort' | 'environment', value: unknown): Promise<void> {
    await this.memory.update(key, value);
    this.tell();
  }

  filter(text: string): void {
    this.typed = text;
    this.tell();
  }

  show(source: Source = NEWEST): void {
    this.shownSource = source;
    this.tell();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private tell(): void {
    const context = (key: string, value: unknown): unknown =>
      vscode.commands.executeCommand('setContext', `escapelens.${key}`, value);
    context('filtered', this.typed !== '');
    context('comparing', this.shownSource.compare !== undefined);
    context('ownResult', this.shownSource !== NEWEST);
    this.changed.fire();
  }
}
