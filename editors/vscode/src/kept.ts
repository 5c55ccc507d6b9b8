import * as vscode from 'vscode';
import type { Run } from './protocol';
import type { ViewState } from './state';
import { clock, described, type Runs } from './runs';

/** The view "Runs": what is kept, newest first; a click shows a run, a button compares with it. */
export class Kept implements vscode.TreeDataProvider<Run>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly events: vscode.Disposable;

  constructor(
    private readonly runs: Runs,
    private readonly state: ViewState,
  ) {
    this.events = vscode.Disposable.from(
      this.changed,
      vscode.window.registerTreeDataProvider('escapelens.runs', this),
      state.onDidChange(() => this.refresh()),
    );
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(run?: Run): Promise<Run[]> {
    return run === undefined ? this.runs.kept() : [];
  }

  getTreeItem(run: Run): vscode.TreeItem {
    const { description, detail } = described(run);
    const item = new vscode.TreeItem(clock(run));
    item.id = `${run.id} ${run.time}`;
    item.description = [run.label, description].filter((part) => part).join(' · ');
    item.tooltip = detail ?? '';
    const { run: shown, compare } = this.state.source;
    const name = run.id === shown ? 'eye' : run.id === compare?.a || run.id === compare?.b ? 'diff' : 'history';
    item.iconPath = new vscode.ThemeIcon(name);
    item.contextValue = 'run';
    item.command = { command: 'escapelens.view.showRun', title: 'Show', arguments: [run] };
    return item;
  }

  dispose(): void {
    this.events.dispose();
  }
}
