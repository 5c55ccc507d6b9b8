/** What the server and this client say to each other beyond the language server protocol. */

export interface TypeInfo {
  readonly id: MessageType;
  readonly label: string;
  readonly detail: string;
}

export type MessageType = 'moved' | 'escape' | 'leak' | 'can-inline' | 'inline-call' | 'other';
export type Scope = 'file' | 'package' | 'module';
export type Level = 'change' | 'package' | 'file' | 'function' | 'type' | 'cause';
export type Sort = 'position' | 'count' | 'loop';
export type Change = 'new' | 'gone' | 'moved';

/** The six message types, strongest first. */
export const TYPES: readonly TypeInfo[] = [
  { id: 'moved', label: 'Moved to Heap', detail: 'a variable lives on the heap' },
  { id: 'escape', label: 'Escape to Heap', detail: 'a value is created on the heap' },
  { id: 'leak', label: 'Leak Param', detail: 'a parameter outlives the call: callers pay' },
  { id: 'can-inline', label: 'Can Inline', detail: 'a function that can be inlined, with its cost' },
  { id: 'inline-call', label: 'Inlining Call', detail: 'a call that is inlined' },
  { id: 'other', label: 'Other', detail: 'whatever else the compiler says' },
];

/** Shown as long as neither the settings nor the user say otherwise. */
export const DEFAULT_TYPES: readonly MessageType[] = ['moved', 'escape', 'leak'];

/** Zero-based, UTF-16. */
export interface Point {
  readonly line: number;
  readonly character: number;
}

/** One verdict of the compiler, as `escapelens.messages` lists it. */
export interface Message {
  readonly node: 'message';
  readonly id: string;
  readonly type: MessageType;
  readonly message: string;
  readonly label: string;
  readonly function: string | null;
  readonly cause: string | null;
  readonly loop: boolean;
  readonly uri: string | null;
  readonly range: { readonly start: Point; readonly end: Point };
  readonly stale: boolean;
  readonly change: Change | null;
  readonly before: { readonly uri: string | null; readonly line: number } | null;
}

/** A node with children. */
export interface Group {
  readonly node: 'group';
  readonly by: Level;
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly types: Partial<Record<MessageType, number>>;
  readonly loop: number;
  readonly uri: string | null;
}

/** The answer of `escapelens.messages`; `types` counts by type, before the filter by types. */
export interface Page {
  readonly nodes: readonly (Group | Message)[];
  readonly total: number;
  readonly types: Partial<Record<MessageType, number>>;
}

/** What a tree is of: the argument of `escapelens.messages`, `escapelens.reveal` and `escapelens.copy`. */
export interface Forest {
  readonly uri: string;
  readonly scope: Scope;
  readonly groupBy: readonly Level[];
  readonly filter: { readonly text: string };
  readonly sort: Sort;
  readonly run?: string;
  readonly compare?: Pair;
}

export interface Pair {
  readonly a: string;
  readonly b: string;
}

/** A kept run, as `escapelens.runs` lists it. `time` is seconds since the epoch. */
export interface Run {
  readonly id: string;
  readonly scope: Scope;
  readonly label: string;
  readonly root: string;
  readonly environment: { readonly go?: string; readonly goos?: string; readonly goarch?: string };
  readonly time: number;
  readonly messages: number;
  readonly previous: string | null;
}

/** The answer of `escapelens.environment`. */
export interface GoEnvironment {
  readonly go?: string;
  readonly goos?: string;
  readonly goarch?: string;
  readonly error?: string;
}

/** The parameters of `escapelens/status`. Without a package only what is shown has changed. */
export interface Status {
  readonly state: 'idle' | 'running' | 'failed';
  readonly package: string;
  readonly message: string;
}

/** The answer of `escapelens.analyze`; `run` is the id of a run with an environment of its own. */
export interface Analysis {
  readonly status: 'ok' | 'failed';
  readonly error?: string;
  readonly run?: string | null;
}
