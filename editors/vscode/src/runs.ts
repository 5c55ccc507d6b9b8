import * as vscode from 'vscode';
import type { Analysis, Run, Scope } from './protocol';
import type { Server } from './server';
import type { Source, ViewState } from './state';
import type { View } from './view';

/** Runs that are asked for, and what is kept of them. */
export class Runs implements vscode.Disposable {
  private readonly running = new Set<vscode.CancellationTokenSource>();

  constructor(
    private readonly server: Server,
    private readonly state: ViewState,
    private readonly view: View,
  ) {}

  /** Run for a scope, by default the view's; with an environment of its own the result is shown apart. */
  async start(scope: Scope = this.state.scope, environment = this.state.environment): Promise<void> {
    const uri = this.view.around?.toString();
    if (uri === undefined) {
      void vscode.window.showInformationMessage('Open a Go file first: a run is for its package or module.');
      return;
    }
    const own = Object.keys(environment.env).length + environment.tags.length + environment.gcflags.length > 0;
    const label = this.state.environmentLabel;
    const cancel = new vscode.CancellationTokenSource();
    this.running.add(cancel);
    try {
      const work = this.server.command<Analysis>('escapelens.analyze', { uri, scope, ...environment }, cancel.token);
      const answer = await vscode.window.withProgress({ location: { viewId: 'escapelens.tree' } }, () => work);
      if (answer?.error !== undefined) {
        void vscode.window.showErrorMessage(answer.error);
      } else if (own && answer?.run) {
        this.state.show({ run: answer.run, title: `this ${scope}, ${label}` });
      } else {
        this.state.show();
      }
    } catch (error) {
      if (!cancel.token.isCancellationRequested) {
        throw error;
      }
    } finally {
      this.running.delete(cancel);
      cancel.dispose();
    }
  }

  /** End every run, whoever asked for it. */
  async cancel(): Promise<void> {
    for (const each of this.running) {
      each.cancel();
    }
    await this.server.command('escapelens.cancel', {});
  }

  /** Show the newest results, or a run that is kept. */
  async choose(): Promise<void> {
    const newest = { label: 'Newest results', description: 'those of the last save or run', source: undefined };
    const kept = (await this.kept()).filter((run) => run.label !== '');
    const items = kept.map((run): vscode.QuickPickItem & { source: Source } => ({ ...described(run), source: source(run) }));
    const picked = await vscode.window.showQuickPick([newest, ...items], { title: 'EscapeLens: result to show' });
    if (picked !== undefined) {
      this.state.show(picked.source);
    }
  }

  /** Show a run that is kept. */
  show(run: Run): void {
    this.state.show(source(run));
  }

  /** What changed since a run. */
  async since(run: Run): Promise<void> {
    const now = this.newest(await this.kept(), run.id);
    if (now === undefined) {
      void vscode.window.showInformationMessage('No other run is kept to compare this one with.');
      return;
    }
    const [a, b] = run.time < now.time ? [run, now] : [now, run];
    await this.compare(a.id, b.id);
  }

  /** What changed since the run before. */
  async comparePrevious(): Promise<void> {
    const now = this.newest(await this.kept());
    if (now?.previous == null) {
      void vscode.window.showInformationMessage(
        'There is no earlier run to compare with. A save that changes what the compiler says makes one.',
      );
      return;
    }
    await this.compare(now.previous, now.id);
  }

  /** What changed since a run that the user chooses. */
  async compareWith(): Promise<void> {
    const kept = await this.kept();
    const now = this.newest(kept);
    const others = kept.filter((run) => run.id !== now?.id);
    if (now === undefined || others.length === 0) {
      void vscode.window.showInformationMessage('No other run is kept yet.');
      return;
    }
    const items = others.map((run) => ({ ...described(run), run }));
    const title = `EscapeLens: compare ${clock(now)} with`;
    const picked = await vscode.window.showQuickPick(items, { title });
    if (picked !== undefined) {
      await this.compare(picked.run.id, now.id);
    }
  }

  dispose(): void {
    for (const each of this.running) {
      each.cancel();
    }
  }

  private async compare(a: string, b: string): Promise<void> {
    const kept = await this.kept();
    const [before, after] = [a, b].map((id) => kept.find((run) => run.id === id));
    const title = before && after ? `${clock(before)} → ${clock(after)}` : '';
    this.state.show({ compare: { a, b }, title });
    await vscode.commands.executeCommand('escapelens.tree.focus');
  }

  /** All runs that are kept, newest first. */
  async kept(): Promise<Run[]> {
    return (await this.server.command<{ runs: Run[] }>('escapelens.runs', {}))?.runs ?? [];
  }

  /** The run that is shown, unless it is the other one: the chosen one, else the newest one around the file. */
  private newest(kept: readonly Run[], other?: string): Run | undefined {
    const { run } = this.state.source;
    const path = this.view.around?.fsPath ?? '';
    const around = kept.filter(({ id, root, label }) => label === '' && id !== other && path.startsWith(root));
    // The deepest root is that of the file's own package.
    const best = [...around].sort((a, b) => b.root.length - a.root.length)[0];
    return run === undefined || run === other ? best : kept.find(({ id }) => id === run);
  }
}

function source(run: Run): Source {
  return { run: run.id, title: [run.label, clock(run)].filter((part) => part !== '').join(', ') };
}

/** A run in the words of a list. */
export function described(run: Run): vscode.QuickPickItem {
  const { go = '', goos = '', goarch = '' } = run.environment;
  const root = vscode.workspace.asRelativePath(run.root);
  return {
    label: `${clock(run)}  ${run.label || 'settings'}`,
    description: `${run.scope} ${root}`,
    detail: `${run.messages.toLocaleString('en')} messages · ${go} ${goos}/${goarch}`,
  };
}

/** When a run ended. */
export function clock(run: Run): string {
  return new Date(run.time * 1000).toLocaleTimeString('en-GB');
}
