import * as vscode from 'vscode';
import { type MessageType, type Scope, type Sort, TYPES } from './protocol';
import type { Shown } from './settings';
import { LEVELS, type ViewState } from './state';
import type { View } from './view';

/** Which message types are shown, everywhere in this window. True if the user chose. */
export async function chooseTypes(shown: Shown, view: View): Promise<boolean> {
  const now = shown.types;
  const items = TYPES.map(({ id, label, detail }) => {
    const count = view.counts[id] ?? 0;
    return { id, label, description: `${count.toLocaleString('en')} · ${detail}`, picked: now.includes(id) };
  });
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: 'EscapeLens: message types to show',
  });
  const types = picked?.map(({ id }): MessageType => id);
  // Chosen, leaks to results are leaks as well; as they were, they stay in the hovers.
  if (types === undefined || String(types) === String(TYPES.map(({ id }) => id).filter((id) => now.includes(id)))) {
    return false;
  }
  shown.choose(types);
  return true;
}

const SCOPES: readonly { readonly id: Scope; readonly label: string; readonly description: string }[] = [
  { id: 'file', label: 'This File', description: 'the file that was looked at last' },
  { id: 'package', label: 'This Package', description: 'all files of its package' },
  { id: 'module', label: 'This Module', description: 'what was analysed of its module; run it to see all' },
];

export async function chooseScope(state: ViewState): Promise<void> {
  const items = SCOPES.map((scope) => ({ ...scope, iconPath: chosen(scope.id === state.scope) }));
  const picked = await vscode.window.showQuickPick(items, { title: 'EscapeLens: scope of the view' });
  if (picked !== undefined) {
    await state.remember('scope', picked.id);
  }
}

const SORTS: readonly { readonly id: Sort; readonly label: string; readonly description: string }[] = [
  { id: 'position', label: 'By Position', description: 'as in the source' },
  { id: 'count', label: 'By Count', description: 'the largest groups first' },
  { id: 'loop', label: 'Loops First', description: 'what happens in loops happens often' },
];

export async function chooseSort(state: ViewState): Promise<void> {
  const items = SORTS.map((sort) => ({ ...sort, iconPath: chosen(sort.id === state.sort) }));
  const picked = await vscode.window.showQuickPick(items, { title: 'EscapeLens: order of the view' });
  if (picked !== undefined) {
    await state.remember('sort', picked.id);
  }
}

/** The levels of the tree, in any order: a pick adds a level at the end or takes it away. */
export function chooseGroups(state: ViewState): void {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { id: string }>();
  const up: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('arrow-up'), tooltip: 'One level up' };
  const show = (): void => {
    const chosenLevels = state.groupBy.flatMap((id) => LEVELS.find((level) => level.id === id) ?? []);
    const others = LEVELS.filter(({ id }) => !state.groupBy.includes(id));
    const names = chosenLevels.map(({ label }) => label).join(' › ');
    pick.title = `EscapeLens: group by ${names || 'nothing'}`;
    pick.items = [
      ...chosenLevels.map((level, index) => ({
        ...level,
        description: `level ${index + 1}`,
        iconPath: chosen(true),
        buttons: index > 0 ? [up] : [],
      })),
      ...others.map((level) => ({ ...level, description: 'add as the last level', iconPath: chosen(false) })),
    ];
  };
  pick.placeholder = 'Enter adds a level or takes it away, Escape closes';
  pick.onDidAccept(async () => {
    const [picked] = pick.selectedItems;
    if (picked !== undefined) {
      const rest = state.groupBy.filter((id) => id !== picked.id);
      await state.remember('groupBy', rest.length < state.groupBy.length ? rest : [...rest, picked.id]);
      show();
    }
  });
  pick.onDidTriggerItemButton(async ({ item }) => {
    const levels = [...state.groupBy];
    const index = levels.findIndex((id) => id === item.id);
    levels.splice(index - 1, 0, ...levels.splice(index, 1));
    await state.remember('groupBy', levels);
    show();
  });
  pick.onDidHide(() => pick.dispose());
  show();
  pick.show();
}

/** A text that messages, functions or files must have, while it is typed. Escape brings back the one before. */
export function filterByText(state: ViewState): void {
  const before = state.text;
  const input = vscode.window.createInputBox();
  let timer: NodeJS.Timeout | undefined;
  let accepted = false;
  input.title = 'EscapeLens: filter by text';
  input.placeholder = 'Part of a message, function or path; empty shows all';
  input.value = before;
  input.onDidChangeValue((text) => {
    clearTimeout(timer);
    timer = setTimeout(() => state.filter(text), 150);
  });
  input.onDidAccept(() => {
    accepted = true;
    input.hide();
  });
  input.onDidHide(() => {
    clearTimeout(timer);
    state.filter(accepted ? input.value : before);
    input.dispose();
  });
  input.show();
}

function chosen(is: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(is ? 'check' : 'blank');
}
